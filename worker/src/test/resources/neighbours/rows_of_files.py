"""Reads a table as a neighbour does that knows Parquet and nothing of lakes.

usage: rows_of_files.py TABLE OUT

TABLE  JSON {"describe": D, "files": F} of `./sluice describe S.T --json` and `./sluice files S.T --json`
OUT    Parquet file for the rows, to be made
"""

import json
import sys
from urllib.parse import unquote, urlparse

import pyarrow as pa
import pyarrow.parquet as pq


def read(path):
    """The content, without columns that pyarrow would guess from the folders' names."""
    local = unquote(urlparse(path).path) if path.startswith("file:") else path
    return pq.ParquetFile(local).read()


def deleted_positions(file):
    positions = set()
    for delete_file in file["deleteFiles"]:
        deletes = read(delete_file["path"])
        names = {path.rsplit("/", 1)[-1] for path in deletes["file_path"].to_pylist()}
        if names != {file["path"].rsplit("/", 1)[-1]}:
            sys.exit(f"{delete_file['path']} is about {names}, not about {file['path']}")
        positions.update(deletes["pos"].to_pylist())
    return positions


def by_id(content):
    """Columns by their ids, which stay when columns are renamed and are never used again."""
    ids = [int(field.metadata[b"PARQUET:field_id"]) for field in content.schema]
    return dict(zip(ids, content.columns))


def rows(file, content, columns, types):
    if content.num_rows != file["rows"]:
        sys.exit(f"{file['path']} has {content.num_rows} rows, not {file['rows']}")
    found = by_id(content)
    arrays = []
    for column in columns:
        older = pa.array([column["defaultOfOlderRows"]] * content.num_rows, pa.string())
        # a file that is older than the column has no such
        arrays.append(found.get(column["id"], older).cast(types[column["id"]]))
    table = pa.table(arrays, names=[column["name"] for column in columns])
    deleted = deleted_positions(file)
    return table.take(pa.array([i for i in range(table.num_rows) if i not in deleted], pa.int64()))


def main(table_json, out):
    with open(table_json, encoding="utf-8") as text:
        table = json.load(text)
    files = table["files"]
    if files["inlinedRows"] or files["inlinedDeletes"]:
        sys.exit("rows are in the catalog, where no reader of files sees them")
    columns = table["describe"]["columns"]
    contents = [read(file["path"]) for file in files["files"]]
    types = {column["id"]: pa.string() for column in columns}
    # the newest files have the types that columns were widened to
    for content in contents:
        types.update({id: array.type for id, array in by_id(content).items()})
    empty = pa.table({column["name"]: pa.array([], types[column["id"]]) for column in columns})
    parts = [
        rows(file, content, columns, types) for file, content in zip(files["files"], contents)
    ]
    merged = pa.concat_tables([empty, *parts])
    pq.write_table(merged, out)
    print(merged.num_rows)


main(*sys.argv[1:])
