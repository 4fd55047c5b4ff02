package dev.sluice.catalog.commit;

import dev.sluice.catalog.LakeInfo;
import java.sql.Connection;
import org.jooq.DSLContext;

/**
 * A transaction that holds the lake's lock.
 *
 * @param connection its connection
 * @param dsl queries on that connection
 * @param lake the lake
 * @param cache layouts remembered from earlier transactions
 * @param own tables known to hold our content only
 */
record OpenTransaction(
    Connection connection, DSLContext dsl, LakeInfo lake, LayoutCache cache, OwnTables own) {

  RoundTrip roundTrip() {
    return new RoundTrip(connection, dsl);
  }
}
