package dev.sluice.workflows.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamingPolicyTest {
  private static final String LONG_PREFIX = "really_long_customer_prefix_for_the_analytics_team";

  @ParameterizedTest
  @CsvSource({
    "TikTokAds, '', ad_report, tiktokads_ad_report, tik_tok_ads_ad_report",
    "Stripe, prod, invoices, stripe_prod_invoices, stripe_prod_invoices",
    "Stripe, '', balance_transaction, stripe_balance_transaction, stripe_balance_transaction",
    "BigQuery, eu, daily_orders, bigquery_eu_daily_orders, big_query_eu_daily_orders",
    "GoogleAds, my-prefix, campaign, googleads_my_prefix_campaign, google_ads_my_prefix_campaign",
    "HTTPServer, '', user_id, httpserver_user_id, http_server_user_id",
    "Postgres, p+q, tbl, postgres_p_q_tbl, postgres_pxq_tbl",
    "Hubspot, _x_, dealsx, hubspot_x_dealsx, hubspot_x_dealsx",
    "S3, '', _2024_files, s3_2024_files, s3_2024_files",
    "'', '', 9lives, data_import_9lives, _9lives",
    "!!!, '', ???, data_import, xxx",
    "Zendesk, 日本, tickets, zendesk_tickets, zendesk_tickets",
    "٣x, '', t, x_t, _٣x_t",
    "Salesforce, '', account_c, salesforce_account_c, salesforce_account_c",
    "Stripe, eu_prod, invoices, stripe_eu_prod_invoices, stripe_eu_prod_invoices",
    "Stripe, eu, prod_invoices, stripe_eu_prod_invoices, stripe_eu_prod_invoices"
  })
  void sourcesGetTheNamesOfBothPolicies(
      String sourceType, String prefix, String table, String copy, String legacy) {
    assertThat(NamingPolicy.COPY_V1.importTable(sourceType, prefix, table)).isEqualTo(copy);
    assertThat(NamingPolicy.LEGACY_BATCH_V1.importTable(sourceType, prefix, table))
        .isEqualTo(legacy);
  }

  @Test
  void longNamesAreCutByOnePolicyAndHashedByTheOther() {
    String region = "monthly_recurring_revenue_by_region";
    String country = "monthly_recurring_revenue_by_country";
    String cut = "postgres_really_long_customer_prefix_for_the_analytics_team_mon";
    assertThat(NamingPolicy.COPY_V1.importTable("Postgres", LONG_PREFIX, region)).isEqualTo(cut);
    assertThat(NamingPolicy.COPY_V1.importTable("Postgres", LONG_PREFIX, country)).isEqualTo(cut);
    assertThat(NamingPolicy.LEGACY_BATCH_V1.importTable("Postgres", LONG_PREFIX, region))
        .isEqualTo("postgres_really_long_customer9qndvg_recurring_revenue_by_region");
    assertThat(NamingPolicy.LEGACY_BATCH_V1.importTable("Postgres", LONG_PREFIX, country))
        .isEqualTo("postgres_really_long_customercpnxxgrecurring_revenue_by_country");
    String search = "search_appearance_by_country_and_device";
    String europe = "northwind_trading_company_europe";
    assertThat(NamingPolicy.COPY_V1.importTable("GoogleSearchConsole", europe, search))
        .isEqualTo("googlesearchconsole_northwind_trading_company_europe_search_app");
    assertThat(NamingPolicy.LEGACY_BATCH_V1.importTable("GoogleSearchConsole", europe, search))
        .isEqualTo("google_search_console_northwinhisswarance_by_country_and_device");
  }

  @ParameterizedTest
  @CsvSource({
    "ABTest, ab_test",
    "iOSApps, i_os_apps",
    "aws2Report, aws2_report",
    "x__, xxx",
    "a*, ax",
    "foo@bar|baz, fooabarlbaz",
    "é, x",
    "Ünicode, _nicode",
    "__lead, _lead",
    "camelCaseX, camel_case_x"
  })
  void legacyNamesAreSnakeCase(String raw, String expected) {
    assertThat(LegacyBatchV1.snakeCase(raw)).isEqualTo(expected);
  }

  @Test
  void labelsOfModelsBecomeTables() {
    assertThat(NamingPolicy.modelTable("My Saved-Query!")).isEqualTo("my_saved_query");
    assertThat(NamingPolicy.modelTable("2024 revenue")).isEqualTo("model_2024_revenue");
    assertThat(NamingPolicy.modelTable("___")).isEqualTo("model");
    assertThat(NamingPolicy.modelTable("9".repeat(70))).isEqualTo("model_" + "9".repeat(57));
  }

  @Test
  void aMissingPrefixIsAnEmptyOne() {
    assertThat(NamingPolicy.COPY_V1.importTable("Stripe", null, "t"))
        .isEqualTo(NamingPolicy.COPY_V1.importTable("Stripe", "", "t"));
  }

  @Test
  void anUnknownPolicyIsRefusedByName() {
    assertThat(NamingPolicy.ofId("copy_v1")).isEqualTo(NamingPolicy.COPY_V1);
    assertThatThrownBy(() -> NamingPolicy.ofId("copy_v9"))
        .isInstanceOf(InvalidNameException.class)
        .hasMessage(
            "naming policy 'copy_v9': the policy is unknown; use one of copy_v1, legacy_batch_v1");
  }
}
