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
    "Stripe, '', BalanceTransaction, stripe_balance_transaction, stripe_balance_transaction",
    "HTTPServer, '', userID, httpserver_user_id, http_server_user_id",
    "Hubspot, _x_, deals_, hubspot_x_dealsx, hubspot_x_dealsx",
    "S3, '', 2024_files, s3_2024_files, s3_2024_files",
    "Salesforce, '', Account__c, salesforce_account_c, salesforce_account_c"
  })
  void tablesThatTheSourceHasNormalizedGetTheNamesOfBothPolicies(
      String sourceType, String prefix, String unnormalized, String copy, String legacy) {
    String table = LegacyBatchV1.snakeCase(unnormalized);
    assertThat(NamingPolicy.COPY_V1.importTable(sourceType, prefix, table)).isEqualTo(copy);
    assertThat(NamingPolicy.LEGACY_BATCH_V1.importTable(sourceType, prefix, table))
        .isEqualTo(legacy);
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

  @ParameterizedTest
  @CsvSource({
    "My Saved-Query!, my_saved_query",
    "2024 revenue, model_2024_revenue",
    "___, model",
    "9999999999999999999999999999999999999999999999999999999999999999999999,"
        + " model_999999999999999999999999999999999999999999999999999999999"
  })
  void labelsOfModelsBecomeTables(String label, String table) {
    assertThat(NamingPolicy.COPY_V1.modelTable(label, "")).isEqualTo(table);
    assertThat(NamingPolicy.LEGACY_BATCH_V1.modelTable(label, "")).isEqualTo(table);
  }

  @Test
  void aModelWhoseLabelLeavesNothingIsNamedAfterItsQuery() {
    assertThat(NamingPolicy.COPY_V1.modelTable("!!!", "Daily Revenue")).isEqualTo("daily_revenue");
    assertThat(NamingPolicy.COPY_V1.modelTable("", "")).isEqualTo("model");
  }

  @Test
  void shortNamesOfTheVersionWithAHashAreThoseOfTheFirst() {
    String sixtyThree = "a".repeat(63 - "stripe_".length());
    assertThat(NamingPolicy.COPY_V2.importTable("Stripe", "", sixtyThree))
        .isEqualTo("stripe_" + sixtyThree);
    assertThat(NamingPolicy.COPY_V2.importTable("!!!", "", "???")).isEqualTo("data_import");
    assertThat(NamingPolicy.COPY_V2.modelTable("2024 revenue", "")).isEqualTo("model_2024_revenue");
  }

  @ParameterizedTest
  @CsvSource({
    "monthly_recurring_revenue_by_region,"
        + " postgres_really_long_customer_prefix_for_the_analy_e73a37158672",
    "monthly_recurring_revenue_by_country,"
        + " postgres_really_long_customer_prefix_for_the_analy_fa2762f91f3f"
  })
  void longNamesOfTheVersionWithAHashStayApart(String table, String expected) {
    assertThat(NamingPolicy.COPY_V2.importTable("Postgres", LONG_PREFIX, table))
        .isEqualTo(expected);
  }

  @Test
  void longNamesOfOneTextButOfOtherPartsStayApart() {
    String rest = "x".repeat(60);
    assertThat(NamingPolicy.COPY_V2.importTable("Stripe", "eu_prod", rest))
        .hasSize(63)
        .isNotEqualTo(NamingPolicy.COPY_V2.importTable("Stripe", "eu", "prod_" + rest));
    assertThat(NamingPolicy.COPY_V2.importTable("Stripe", null, rest))
        .isEqualTo(NamingPolicy.COPY_V2.importTable("Stripe", "", rest));
  }

  @Test
  void longLabelsOfModelsStayApartUnderTheVersionWithAHash() {
    String label = "quarterly ".repeat(8);
    assertThat(NamingPolicy.COPY_V2.modelTable(label + "a", ""))
        .matches("quarterly(_[a-z]+)*_[0-9a-f]{12}")
        .isNotEqualTo(NamingPolicy.COPY_V2.modelTable(label + "b", ""));
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
            "naming policy 'copy_v9': the policy is unknown; use one of copy_v1, legacy_batch_v1,"
                + " copy_v2");
  }
}
