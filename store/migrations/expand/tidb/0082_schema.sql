-- +goose Up

-- The whole schema as of this number, as MariaDB has it: what each table is for stands there. TestK8TheSchemaIsTheSameOnTiDB wrote it.
-- AUTO_ID_CACHE=1 lets IDs grow whichever server of TiDB gives them.

CREATE TABLE account_export_files (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `export_id` BIGINT NOT NULL,
  `form` VARCHAR(32) NOT NULL,
  `sha256` VARCHAR(64) NOT NULL,
  `size` BIGINT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `removed_at` DATETIME(6),
  PRIMARY KEY (`id`),
  UNIQUE KEY account_export_files_form (`export_id`, `form`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE account_exports (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `number` BIGINT NOT NULL,
  `from_date` DATE NOT NULL,
  `to_date` DATE NOT NULL,
  `time_zone` VARCHAR(64) NOT NULL,
  `plan` TEXT,
  `series` TEXT,
  `sums` TEXT,
  `vouchers` BIGINT NOT NULL,
  `debit` BIGINT NOT NULL,
  `opening` BIGINT NOT NULL,
  `closing` BIGINT NOT NULL,
  `made_by` VARCHAR(200) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY account_exports_number (`creditor_id`, `number`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE api_keys (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `name` VARCHAR(100) NOT NULL,
  `scope` VARCHAR(16) NOT NULL,
  `hash` VARCHAR(64) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `last_used_at` DATETIME(6),
  `revoked_at` DATETIME(6),
  PRIMARY KEY (`id`),
  KEY api_keys_creditor (`creditor_id`),
  UNIQUE KEY api_keys_hash (`hash`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE audit_findings (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `audit_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `invoice` BIGINT NOT NULL,
  `notice_id` BIGINT NOT NULL DEFAULT 0,
  `hand_over_id` BIGINT NOT NULL DEFAULT 0,
  `class` VARCHAR(8) NOT NULL,
  `code` VARCHAR(40) NOT NULL,
  `row_names` TEXT,
  `expected` TEXT NOT NULL,
  `found` TEXT NOT NULL,
  `back_fee` BIGINT NOT NULL DEFAULT 0,
  `back_interest` BIGINT NOT NULL DEFAULT 0,
  `night` DATE,
  `held_for` VARCHAR(24) NOT NULL DEFAULT '',
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY audit_findings_audit (`audit_id`, `id`),
  KEY audit_findings_class (`class`, `creditor_id`, `night`),
  KEY audit_findings_customer (`customer_id`),
  KEY audit_findings_invoice (`invoice_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE audit_nights (
  `creditor_id` BIGINT NOT NULL,
  `day` DATE,
  `audit_id` BIGINT NOT NULL DEFAULT 0,
  `marks` TEXT,
  `up_to` TEXT,
  `round_id` BIGINT NOT NULL DEFAULT 0,
  `round_up_to` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`creditor_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE audit_repayments (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `audit_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `notice_id` BIGINT NOT NULL DEFAULT 0,
  `code` VARCHAR(40) NOT NULL,
  `expected` TEXT NOT NULL,
  `found` TEXT NOT NULL,
  `fee` BIGINT NOT NULL,
  `interest` BIGINT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY audit_repayments_audit (`audit_id`, `id`),
  KEY audit_repayments_customer (`customer_id`),
  KEY audit_repayments_invoice (`invoice_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE audits (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL DEFAULT 0,
  `from_date` DATE,
  `to_date` DATE,
  `asked_by` VARCHAR(200) NOT NULL DEFAULT '',
  `night` DATE,
  `state` VARCHAR(16) NOT NULL,
  `failure` VARCHAR(500) NOT NULL DEFAULT '',
  `in_all` BIGINT NOT NULL DEFAULT 0,
  `letters` BIGINT NOT NULL DEFAULT 0,
  `checks` BIGINT NOT NULL DEFAULT 0,
  `unanswered` BIGINT NOT NULL DEFAULT 0,
  `kinds` TEXT,
  `findings` BIGINT NOT NULL DEFAULT 0,
  `back` BIGINT NOT NULL DEFAULT 0,
  `last_id` BIGINT NOT NULL DEFAULT 0,
  `created_at` DATETIME(6) NOT NULL,
  `done_at` DATETIME(6),
  PRIMARY KEY (`id`),
  KEY audits_creditor (`creditor_id`, `id`),
  KEY audits_state (`state`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE bank_checks (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `remote` VARCHAR(500) NOT NULL,
  `started_at` DATETIME(6) NOT NULL,
  `ended_at` DATETIME(6),
  `ok` TINYINT(1) NOT NULL,
  `found` INT NOT NULL,
  `files` INT NOT NULL,
  `failure` TEXT NOT NULL,
  PRIMARY KEY (`id`),
  KEY bank_checks_empty (`ok`, `found`, `started_at`),
  KEY bank_checks_remote (`remote`, `started_at`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE bank_claims (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `mandate_id` BIGINT NOT NULL,
  `account` VARCHAR(11) NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `due_date` DATE NOT NULL,
  `amount` BIGINT NOT NULL,
  `by_bank` TINYINT(1) NOT NULL,
  `last_day` DATE NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `reason` VARCHAR(500) NOT NULL,
  `file_id` BIGINT NOT NULL,
  `sent_at` DATETIME(6),
  `answered_at` DATETIME(6),
  `cancel_file_id` BIGINT NOT NULL,
  `too_late` TINYINT(1) NOT NULL,
  `letter_owed` TINYINT(1) NOT NULL,
  `unpaid_told` TINYINT(1) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY bank_claims_cancel (`cancel_file_id`, `id`),
  KEY bank_claims_file (`file_id`, `id`),
  UNIQUE KEY bank_claims_invoice (`invoice_id`),
  KEY bank_claims_kid (`kid`, `due_date`),
  KEY bank_claims_letter (`creditor_id`, `letter_owed`, `id`),
  KEY bank_claims_state (`creditor_id`, `state`, `due_date`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE bank_confirmations (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `bank_day` DATE NOT NULL,
  `actor` VARCHAR(250) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY bank_confirmations_day (`creditor_id`, `bank_day`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE bank_folders (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `remote` VARCHAR(500) NOT NULL,
  `next_check` DATETIME(6) NOT NULL,
  `claimed_until` DATETIME(6),
  `failures` INT NOT NULL,
  `failing_since` DATETIME(6),
  `last_success` DATETIME(6),
  `told` TINYINT(1) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY bank_folders_remote (`remote`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE booked_days (
  `creditor_id` BIGINT NOT NULL,
  `day` DATE NOT NULL,
  `movement` VARCHAR(16) NOT NULL,
  `rate` BIGINT NOT NULL,
  `first_id` BIGINT NOT NULL,
  `last_id` BIGINT NOT NULL,
  `items` BIGINT NOT NULL,
  `amount` BIGINT NOT NULL,
  `vat` BIGINT NOT NULL,
  PRIMARY KEY (`creditor_id`, `day`, `movement`, `rate`, `first_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE claim_files (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `sender_id` VARCHAR(8) NOT NULL,
  `number` BIGINT NOT NULL,
  `day` DATE NOT NULL,
  `claims` INT NOT NULL,
  `cancellations` INT NOT NULL,
  `amount` BIGINT NOT NULL,
  `sha256` VARCHAR(64) NOT NULL,
  `deliver_by` DATE NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `uncertain` TINYINT(1) NOT NULL,
  `attempts` INT NOT NULL,
  `next_attempt` DATETIME(6) NOT NULL,
  `taken_by` VARCHAR(32) NOT NULL DEFAULT '',
  `delivered_at` DATETIME(6),
  `answered_at` DATETIME(6),
  `answer` VARCHAR(100) NOT NULL,
  `failure` TEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `removed_at` DATETIME(6),
  PRIMARY KEY (`id`),
  KEY claim_files_creditor (`creditor_id`, `id`),
  UNIQUE KEY claim_files_number (`sender_id`, `number`),
  KEY claim_files_owed (`state`, `next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE claim_receipts (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `name` VARCHAR(100) NOT NULL,
  `sha256` VARCHAR(64) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY claim_receipts_once (`creditor_id`, `sha256`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE collection_reports (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `hand_over_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `reference` VARCHAR(100) NOT NULL,
  `identity` VARCHAR(120) NOT NULL,
  `at` DATE NOT NULL,
  `amount` BIGINT NOT NULL,
  `divided` TINYINT(1) NOT NULL,
  `principal` BIGINT NOT NULL,
  `interest` BIGINT NOT NULL,
  `fees` BIGINT NOT NULL,
  `reason` VARCHAR(500) NOT NULL,
  `actor` VARCHAR(200) NOT NULL,
  `entry_id` BIGINT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY collection_reports_invoice (`invoice_id`, `id`),
  UNIQUE KEY collection_reports_once (`hand_over_id`, `state`, `identity`),
  KEY collection_reports_state (`creditor_id`, `state`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE collector_files (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `number` BIGINT NOT NULL,
  `day` DATE NOT NULL,
  `seller_id` BIGINT NOT NULL,
  `xml_sum` VARCHAR(64) NOT NULL,
  `csv_sum` VARCHAR(64) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `attempts` INT NOT NULL,
  `next_attempt` DATETIME(6) NOT NULL,
  `taken_by` VARCHAR(32) NOT NULL DEFAULT '',
  `delivered_at` DATETIME(6),
  `failure` TEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY collector_files_day (`creditor_id`, `day`),
  UNIQUE KEY collector_files_number (`number`),
  KEY collector_files_owed (`state`, `next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE console_sessions (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `hash` VARCHAR(64) NOT NULL,
  `key_ids` TEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `seen_at` DATETIME(6) NOT NULL,
  `expires_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY console_sessions_expires (`expires_at`),
  UNIQUE KEY console_sessions_hash (`hash`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE credit_note_lines (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `credit_note_id` BIGINT NOT NULL,
  `position` INT NOT NULL,
  `text` TEXT NOT NULL,
  `vat` VARCHAR(16) NOT NULL,
  `vat_percent` INT NOT NULL,
  `vat_exemption` VARCHAR(1) NOT NULL,
  `net` BIGINT NOT NULL,
  `gross` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY credit_note_lines_position (`credit_note_id`, `position`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE credit_notes (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `number` BIGINT NOT NULL,
  `issue_date` DATE NOT NULL,
  `gross` BIGINT NOT NULL,
  `net` BIGINT NOT NULL,
  `comment` VARCHAR(500) NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `bank_account` VARCHAR(11) NOT NULL,
  `recipient_name1` VARCHAR(100) NOT NULL,
  `recipient_name2` VARCHAR(100) NOT NULL,
  `recipient_address1` VARCHAR(100) NOT NULL,
  `recipient_address2` VARCHAR(100) NOT NULL,
  `recipient_postal_code` VARCHAR(16) NOT NULL,
  `recipient_postal_name` VARCHAR(60) NOT NULL,
  `recipient_country_code` VARCHAR(2) NOT NULL,
  `recipient_email` VARCHAR(254) NOT NULL,
  `recipient_customer_number` VARCHAR(40) NOT NULL,
  `search` VARBINARY(2000) NOT NULL,
  `search_digit` TINYINT(1) NOT NULL DEFAULT 0,
  `balance` BIGINT NOT NULL,
  `pdf` VARCHAR(64) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `recipient_organisation_number` VARCHAR(9) NOT NULL DEFAULT '',
  `ehf` VARCHAR(64) NOT NULL DEFAULT '',
  `seller_id` BIGINT NOT NULL DEFAULT 0,
  `language` VARCHAR(2) NOT NULL DEFAULT '',
  `partial` TINYINT(1) NOT NULL DEFAULT 0,
  `recipient_phone` VARCHAR(16) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY credit_notes_credit (`creditor_id`, `customer_id`, `balance`),
  KEY credit_notes_creditor (`creditor_id`, `id`),
  KEY credit_notes_customer (`customer_id`),
  KEY credit_notes_gross (`creditor_id`, `gross`),
  KEY credit_notes_issue_date (`creditor_id`, `issue_date`),
  UNIQUE KEY credit_notes_number (`creditor_id`, `number`),
  KEY credit_notes_of (`invoice_id`, `id`),
  KEY credit_notes_search (`creditor_id`, `search_digit`, `search`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE creditor_accounts (
  `account` VARCHAR(11) NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `approved_at` DATETIME(6),
  `named_at` DATETIME(6),
  PRIMARY KEY (`account`),
  KEY creditor_accounts_creditor (`creditor_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE creditor_faults (
  `creditor_id` BIGINT NOT NULL,
  `work` VARCHAR(16) NOT NULL,
  `reason` VARCHAR(500) NOT NULL,
  `since` DATETIME(6) NOT NULL,
  PRIMARY KEY (`creditor_id`, `work`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE creditors (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `name` VARCHAR(100) NOT NULL,
  `organisation_number` VARCHAR(9) NOT NULL,
  `vat_registered` TINYINT(1) NOT NULL,
  `address1` VARCHAR(100) NOT NULL,
  `address2` VARCHAR(100) NOT NULL,
  `postal_code` VARCHAR(16) NOT NULL,
  `postal_name` VARCHAR(60) NOT NULL,
  `country_code` VARCHAR(2) NOT NULL,
  `email` VARCHAR(254) NOT NULL,
  `bank_account` VARCHAR(11) NOT NULL,
  `kid_length` INT NOT NULL,
  `kid_modulus` INT NOT NULL,
  `first_number` BIGINT NOT NULL,
  `time_zone` VARCHAR(60) NOT NULL,
  `vat_rates` TEXT,
  `dunning_enabled` TINYINT(1) NOT NULL,
  `dunning_first_notice_days` INT NOT NULL,
  `dunning_second_notice_days` INT NOT NULL,
  `dunning_fee` BIGINT,
  `dunning_add_interest` TINYINT(1) NOT NULL,
  `dunning_interest_rate` BIGINT,
  `dunning_days_to_pay` INT NOT NULL,
  `dunning_debt_collection_notice` VARCHAR(16) NOT NULL,
  `dunning_hand_over_days` INT,
  `dunning_minimum_balance` BIGINT NOT NULL,
  `dunning_weekdays_only` TINYINT(1) NOT NULL,
  `dunning_require_payment_file` TINYINT(1) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `dunning_compensation` TINYINT(1) NOT NULL DEFAULT 0,
  `dunning_ceiling` INT,
  `has_webhooks` TINYINT(1) NOT NULL DEFAULT 0,
  `phone` VARCHAR(40) NOT NULL DEFAULT '',
  `website` VARCHAR(100) NOT NULL DEFAULT '',
  `iban` VARCHAR(34) NOT NULL DEFAULT '',
  `bic` VARCHAR(11) NOT NULL DEFAULT '',
  `business_register` TINYINT(1),
  `vat_exemption` VARCHAR(1) NOT NULL DEFAULT '',
  `told_missing` VARCHAR(200) NOT NULL DEFAULT '',
  `vat_known` TINYINT(1) NOT NULL DEFAULT 0,
  `vat_doubted` TINYINT(1) NOT NULL DEFAULT 0,
  `dunning_remainder` VARCHAR(10) NOT NULL DEFAULT 'leave',
  `dunning_settle_credit` TINYINT(1) NOT NULL DEFAULT 0,
  `dunning_postal_days` INT NOT NULL DEFAULT 0,
  `ehf_default_reference` VARCHAR(100) NOT NULL DEFAULT '',
  `dunning_ehf_reminder` TINYINT(1) NOT NULL DEFAULT 0,
  `fallback` VARCHAR(40) NOT NULL DEFAULT '',
  `dunning_due_after` DATE,
  `dunning_handover_days` INT NOT NULL DEFAULT 0,
  `waiting_account` VARCHAR(11) NOT NULL DEFAULT '',
  `waiting_since` DATETIME(6),
  `named_account` VARCHAR(11) NOT NULL DEFAULT '',
  `waiting_iban` VARCHAR(34) NOT NULL DEFAULT '',
  `waiting_bic` VARCHAR(11) NOT NULL DEFAULT '',
  `waiting_iban_since` DATETIME(6),
  `dunning_reminder_method` VARCHAR(10) NOT NULL DEFAULT 'PAPER',
  `dunning_friendly_reminder_days` VARCHAR(20) NOT NULL DEFAULT '',
  `dunning_joint_letters` TINYINT(1) NOT NULL DEFAULT 0,
  `adopts` TINYINT(1) NOT NULL DEFAULT 0,
  `language` VARCHAR(2) NOT NULL DEFAULT 'nb',
  `max_lines` INT NOT NULL DEFAULT 8,
  `footer_text` VARCHAR(500) NOT NULL DEFAULT '',
  `logo` VARCHAR(64) NOT NULL DEFAULT '',
  `dunning_close_below` BIGINT NOT NULL DEFAULT 0,
  `account_plan` TEXT,
  `avtalegiro_enabled` TINYINT(1) NOT NULL DEFAULT 0,
  `avtalegiro_sender_id` VARCHAR(8) NOT NULL DEFAULT '',
  `avtalegiro_lead_days` INT NOT NULL DEFAULT 9,
  `avtalegiro_notice` VARCHAR(8) NOT NULL DEFAULT 'own',
  `avtalegiro_day` DATE,
  `kid_customer_digits` INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY creditors_avtalegiro (`avtalegiro_sender_id`),
  UNIQUE KEY creditors_name (`name`),
  KEY creditors_waiting (`waiting_account`),
  KEY creditors_waiting_iban (`waiting_iban`),
  KEY creditors_zone (`time_zone`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE customers (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `name1` VARCHAR(100) NOT NULL,
  `name2` VARCHAR(100) NOT NULL,
  `address1` VARCHAR(100) NOT NULL,
  `address2` VARCHAR(100) NOT NULL,
  `postal_code` VARCHAR(16) NOT NULL,
  `postal_name` VARCHAR(60) NOT NULL,
  `country_code` VARCHAR(2) NOT NULL,
  `email` VARCHAR(254) NOT NULL,
  `customer_number` VARCHAR(40) NOT NULL,
  `organisation_number` VARCHAR(9) NOT NULL,
  `language` VARCHAR(2) NOT NULL,
  `hold_held` TINYINT(1) NOT NULL,
  `hold_until` DATE,
  `hold_comment` VARCHAR(500) NOT NULL,
  `dunning_policy` TEXT,
  `search` VARBINARY(2000) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `customer_number_key` VARCHAR(40) GENERATED ALWAYS AS (CASE WHEN customer_number <> '' THEN customer_number END) STORED,
  `hold_reason` VARCHAR(32) NOT NULL DEFAULT '',
  `address_wanted` DATE,
  `letters_held_since` DATETIME(6),
  `letters_held_reason` VARCHAR(500) NOT NULL DEFAULT '',
  `fallback` VARCHAR(40) NOT NULL DEFAULT '',
  `ehf_organisation_number` VARCHAR(9) NOT NULL DEFAULT '',
  `ehf_invoice` VARCHAR(7) NOT NULL DEFAULT '',
  `ehf_credit_note` VARCHAR(7) NOT NULL DEFAULT '',
  `ehf_reminder` VARCHAR(7) NOT NULL DEFAULT '',
  `ehf_checked_at` DATETIME(6),
  `phone` VARCHAR(16) NOT NULL DEFAULT '',
  `forgotten_at` DATETIME(6),
  PRIMARY KEY (`id`),
  KEY customers_address_wanted (`address_wanted`),
  KEY customers_creditor (`creditor_id`, `id`),
  KEY customers_forgotten (`forgotten_at`, `id`),
  UNIQUE KEY customers_number (`creditor_id`, `customer_number_key`),
  KEY customers_policy (`creditor_id`, `dunning_policy`(1)),
  KEY customers_search (`creditor_id`, `search`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE deleted_entries (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `entry_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `credit_note_id` BIGINT NOT NULL,
  `type` VARCHAR(16) NOT NULL,
  `amount` BIGINT NOT NULL,
  `transaction_date` DATE NOT NULL,
  `comment` VARCHAR(500) NOT NULL,
  `moved_from` BIGINT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `deleted_at` DATETIME(6) NOT NULL,
  `moved_to` BIGINT NOT NULL DEFAULT 0,
  `hand_over_id` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY deleted_entries_at (`creditor_id`, `deleted_at`),
  KEY deleted_entries_customer (`customer_id`),
  KEY deleted_entries_entry (`creditor_id`, `entry_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE direct_entries (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `hand_over_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `entry_id` BIGINT NOT NULL,
  `deleted` TINYINT(1) NOT NULL,
  `kind` VARCHAR(16) NOT NULL,
  `date` DATE NOT NULL,
  `amount` BIGINT NOT NULL,
  `balance` BIGINT NOT NULL,
  `file_id` BIGINT NOT NULL DEFAULT 0,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY direct_entries_creditor (`creditor_id`, `id`),
  KEY direct_entries_file (`file_id`, `creditor_id`, `created_at`),
  UNIQUE KEY direct_entries_once (`entry_id`, `deleted`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE dunning_rule_warnings (
  `creditor_id` BIGINT NOT NULL,
  `kind` VARCHAR(20) NOT NULL,
  `from_date` DATE NOT NULL,
  PRIMARY KEY (`creditor_id`, `kind`, `from_date`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE dunning_rules (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `kind` VARCHAR(20) NOT NULL,
  `from_date` DATE NOT NULL,
  `value` VARCHAR(20) NOT NULL,
  `source` VARCHAR(250) NOT NULL,
  `set_by` VARCHAR(150) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY dunning_rules_from (`creditor_id`, `kind`, `from_date`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE entries (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `credit_note_id` BIGINT NOT NULL,
  `type` VARCHAR(16) NOT NULL,
  `amount` BIGINT NOT NULL,
  `transaction_date` DATE NOT NULL,
  `bank_date` DATE,
  `comment` VARCHAR(500) NOT NULL,
  `from_account_number` VARCHAR(40) NOT NULL,
  `notice_id` BIGINT NOT NULL,
  `payment_file_id` BIGINT NOT NULL,
  `line_key` BINARY(32),
  `created_at` DATETIME(6) NOT NULL,
  `moved_from` BIGINT NOT NULL DEFAULT 0,
  `moved_to` BIGINT NOT NULL DEFAULT 0,
  `adopted` TINYINT NOT NULL DEFAULT 0,
  `hand_over_id` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY entries_customer (`customer_id`),
  KEY entries_document (`invoice_id`, `credit_note_id`, `amount`),
  UNIQUE KEY entries_line (`creditor_id`, `line_key`),
  KEY entries_list (`creditor_id`, `id`, `transaction_date`, `type`),
  KEY entries_payer (`creditor_id`, `from_account_number`, `customer_id`, `amount`),
  KEY entries_type (`creditor_id`, `type`, `id`, `transaction_date`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE event_turns (
  `id` BIGINT NOT NULL,
  `turns` BIGINT NOT NULL,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE events (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `at` DATETIME(6) NOT NULL,
  `type` VARCHAR(40) NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `subject_id` BIGINT NOT NULL,
  `text` VARCHAR(500) NOT NULL,
  `data` TEXT NOT NULL,
  `actor` VARCHAR(200) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY events_actor (`creditor_id`, `actor`, `id`),
  KEY events_creditor (`creditor_id`, `id`),
  KEY events_customer (`customer_id`),
  KEY events_invoice (`invoice_id`),
  KEY events_type (`creditor_id`, `type`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE hand_overs (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `handed_over` DATE NOT NULL,
  `last_entry_id` BIGINT NOT NULL,
  `bundle` VARCHAR(64) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `attempts` INT NOT NULL,
  `next_attempt` DATETIME(6) NOT NULL,
  `delivered_at` DATETIME(6),
  `taken_back` DATE,
  `failure` TEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `taken_by` VARCHAR(32) NOT NULL DEFAULT '',
  `forced` TINYINT(1) NOT NULL DEFAULT 0,
  `seller_id` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY hand_overs_creditor (`creditor_id`, `state`, `id`),
  KEY hand_overs_invoice (`invoice_id`, `id`),
  KEY hand_overs_owed (`state`, `next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE idempotency_keys (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `idempotency_key` VARCHAR(255) NOT NULL,
  `request_hash` VARCHAR(64) NOT NULL,
  `status` INT NOT NULL,
  `location` VARCHAR(500) NOT NULL,
  `body` MEDIUMTEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `work` VARCHAR(32) NOT NULL DEFAULT '',
  `leased_until` DATETIME(6),
  `media_type` VARCHAR(100) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY idempotency_keys_created (`created_at`),
  UNIQUE KEY idempotency_keys_key (`creditor_id`, `idempotency_key`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE invoice_lines (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `invoice_id` BIGINT NOT NULL,
  `position` INT NOT NULL,
  `text` VARCHAR(250) NOT NULL,
  `unit_price` BIGINT NOT NULL,
  `num_items` BIGINT NOT NULL,
  `discount` BIGINT,
  `vat` VARCHAR(16) NOT NULL,
  `vat_percent` BIGINT NOT NULL,
  `net` BIGINT NOT NULL,
  `gross` BIGINT NOT NULL,
  `vat_exemption` VARCHAR(1) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY invoice_lines_position (`invoice_id`, `position`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE invoice_texts (
  `creditor_id` BIGINT NOT NULL,
  `first_id` BIGINT NOT NULL,
  `last_id` BIGINT NOT NULL,
  `items` INT NOT NULL,
  `texts` MEDIUMBLOB NOT NULL,
  PRIMARY KEY (`creditor_id`, `first_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE invoices (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `number` BIGINT NOT NULL,
  `issue_date` DATE NOT NULL,
  `due_date` DATE NOT NULL,
  `num_due_days` INT NOT NULL,
  `gross` BIGINT NOT NULL,
  `net` BIGINT NOT NULL,
  `note` TEXT NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `bank_account` VARCHAR(11) NOT NULL,
  `recipient_name1` VARCHAR(100) NOT NULL,
  `recipient_name2` VARCHAR(100) NOT NULL,
  `recipient_address1` VARCHAR(100) NOT NULL,
  `recipient_address2` VARCHAR(100) NOT NULL,
  `recipient_postal_code` VARCHAR(16) NOT NULL,
  `recipient_postal_name` VARCHAR(60) NOT NULL,
  `recipient_country_code` VARCHAR(2) NOT NULL,
  `recipient_email` VARCHAR(254) NOT NULL,
  `recipient_customer_number` VARCHAR(40) NOT NULL,
  `search` VARBINARY(2000) NOT NULL,
  `search_digit` TINYINT(1) NOT NULL DEFAULT 0,
  `balance` BIGINT NOT NULL,
  `notices` INT NOT NULL,
  `warned` TINYINT(1) NOT NULL,
  `deadline` DATE NOT NULL,
  `closed` VARCHAR(16) NOT NULL,
  `handed_over` DATE,
  `hold_held` TINYINT(1) NOT NULL,
  `hold_until` DATE,
  `hold_comment` VARCHAR(500) NOT NULL,
  `pdf` VARCHAR(64) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `stage` VARCHAR(16) GENERATED ALWAYS AS (CASE WHEN closed = 'lost' THEN 'closed_lost' WHEN closed = 'other' THEN 'closed_other' WHEN handed_over IS NOT NULL THEN 'collection' WHEN balance <= 0 THEN 'paid' WHEN balance <= repayment_owed THEN 'repaying' WHEN warned = 1 THEN 'warned' WHEN notices > 0 THEN 'reminded' ELSE 'open' END) STORED,
  `hold_reason` VARCHAR(32) NOT NULL DEFAULT '',
  `your_reference` VARCHAR(100) NOT NULL DEFAULT '',
  `order_number` VARCHAR(100) NOT NULL DEFAULT '',
  `delivery_date` DATE,
  `delivery_place` VARCHAR(100) NOT NULL DEFAULT '',
  `recipient_organisation_number` VARCHAR(9) NOT NULL DEFAULT '',
  `ehf` VARCHAR(64) NOT NULL DEFAULT '',
  `repayment_owed` BIGINT NOT NULL DEFAULT 0,
  `seller_id` BIGINT NOT NULL DEFAULT 0,
  `language` VARCHAR(2) NOT NULL DEFAULT '',
  `more_time_since` DATE,
  `more_time_until` DATE,
  `more_time_reason` VARCHAR(500) NOT NULL DEFAULT '',
  `interest_free` TEXT,
  `plan_id` BIGINT NOT NULL DEFAULT 0,
  `adopted` TINYINT(1) NOT NULL DEFAULT 0,
  `written_off` BIGINT NOT NULL DEFAULT 0,
  `kept_open` TINYINT(1) NOT NULL DEFAULT 0,
  `free` BIGINT GENERATED ALWAYS AS (CASE WHEN balance < written_off THEN written_off - balance ELSE 0 END) STORED,
  `acknowledged` DATE,
  `lapses_on` DATE,
  `lapse_told` DATE,
  `drawn` TINYINT(1) NOT NULL DEFAULT 0,
  `drawn_until` DATE,
  `recipient_phone` VARCHAR(16) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY invoices_balance (`creditor_id`, `balance`, `id`, `closed`, `due_date`, `customer_id`),
  KEY invoices_credit (`creditor_id`, `customer_id`, `balance`),
  KEY invoices_customer (`customer_id`),
  KEY invoices_free (`creditor_id`, `customer_id`, `free`),
  KEY invoices_gross (`creditor_id`, `gross`),
  KEY invoices_lapse (`creditor_id`, `stage`, `lapses_on`, `lapse_told`, `balance`, `repayment_owed`),
  KEY invoices_list (`creditor_id`, `id`, `stage`, `deadline`, `issue_date`),
  UNIQUE KEY invoices_number (`creditor_id`, `number`),
  KEY invoices_repayment (`creditor_id`, `repayment_owed`),
  KEY invoices_search (`creditor_id`, `search_digit`, `search`),
  KEY invoices_stage (`creditor_id`, `stage`, `deadline`, `id`, `issue_date`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE last_acts (
  `creditor_id` BIGINT NOT NULL,
  `thing` VARCHAR(20) NOT NULL,
  `thing_id` BIGINT NOT NULL,
  `turn` BIGINT NOT NULL,
  `event` VARCHAR(64) NOT NULL,
  `actor` VARCHAR(200) NOT NULL,
  `at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`creditor_id`, `thing`, `thing_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE letter_batches (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `business_date` DATE NOT NULL,
  `manifest` MEDIUMTEXT NOT NULL,
  `attempts` INT NOT NULL DEFAULT 0,
  `next_attempt` DATETIME(6) NOT NULL,
  `taken_by` VARCHAR(32) NOT NULL DEFAULT '',
  `failure` VARCHAR(500) NOT NULL DEFAULT '',
  `created_at` DATETIME(6) NOT NULL,
  `handed_over_at` DATETIME(6),
  `patient_from` DATETIME(6),
  PRIMARY KEY (`id`),
  KEY letter_batches_state (`state`, `creditor_id`, `next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE letter_series (
  `creditor_id` BIGINT NOT NULL,
  `next_number` BIGINT NOT NULL,
  PRIMARY KEY (`creditor_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE letters (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `number` BIGINT NOT NULL,
  `warning` TINYINT(1) NOT NULL,
  `issue_date` DATE NOT NULL,
  `due_date` DATE NOT NULL,
  `days_to_pay` INT NOT NULL,
  `gross` BIGINT NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `recipient_name1` VARCHAR(100) NOT NULL,
  `recipient_name2` VARCHAR(100) NOT NULL,
  `recipient_address1` VARCHAR(100) NOT NULL,
  `recipient_address2` VARCHAR(100) NOT NULL,
  `recipient_postal_code` VARCHAR(16) NOT NULL,
  `recipient_postal_name` VARCHAR(60) NOT NULL,
  `recipient_country_code` VARCHAR(2) NOT NULL,
  `recipient_email` VARCHAR(254) NOT NULL,
  `recipient_customer_number` VARCHAR(40) NOT NULL,
  `recipient_organisation_number` VARCHAR(9) NOT NULL,
  `seller_id` BIGINT NOT NULL,
  `language` VARCHAR(2) NOT NULL,
  `pdf` VARCHAR(64) NOT NULL,
  `withdrawn` DATE,
  `replaced_by` BIGINT NOT NULL DEFAULT 0,
  `created_at` DATETIME(6) NOT NULL,
  `recipient_phone` VARCHAR(16) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY letters_customer (`customer_id`, `id`),
  UNIQUE KEY letters_number (`creditor_id`, `number`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE likely_payers (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `payment_id` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  KEY likely_payers_customer (`creditor_id`, `customer_id`),
  UNIQUE KEY likely_payers_payment (`payment_id`, `customer_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE list_days (
  `creditor_id` BIGINT NOT NULL,
  `list` VARCHAR(16) NOT NULL,
  `day` DATE NOT NULL,
  `type` VARCHAR(16) NOT NULL,
  `items` BIGINT NOT NULL,
  `amount` BIGINT NOT NULL DEFAULT 0,
  `first_id` BIGINT NOT NULL,
  `last_id` BIGINT NOT NULL,
  PRIMARY KEY (`creditor_id`, `list`, `day`, `type`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE list_marks (
  `creditor_id` BIGINT NOT NULL,
  `list` VARCHAR(16) NOT NULL,
  `id` BIGINT NOT NULL,
  `position` BIGINT NOT NULL,
  PRIMARY KEY (`creditor_id`, `list`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE lost_numbers (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `first` BIGINT NOT NULL,
  `last` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY lost_numbers_first (`creditor_id`, `first`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE mail_turns (
  `creditor_id` BIGINT NOT NULL,
  `next_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`creditor_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE mandates (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `account` VARCHAR(11) NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `notice` TINYINT(1) NOT NULL,
  `since` DATE NOT NULL,
  `ended_on` DATE,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY mandates_customer (`customer_id`, `id`),
  UNIQUE KEY mandates_kid (`creditor_id`, `account`, `kid`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE new_events (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `at` DATETIME(6) NOT NULL,
  `type` VARCHAR(40) NOT NULL,
  `actor` VARCHAR(200) NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `subject_id` BIGINT NOT NULL,
  `text` VARCHAR(500) NOT NULL,
  `data` TEXT NOT NULL,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE notice_recalculations (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `notice_id` BIGINT NOT NULL,
  `entry_id` BIGINT NOT NULL,
  `at` DATETIME(6) NOT NULL,
  `sheet` MEDIUMTEXT NOT NULL,
  PRIMARY KEY (`id`),
  KEY notice_recalculations_notice (`notice_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE number_series (
  `creditor_id` BIGINT NOT NULL,
  `next_number` BIGINT NOT NULL,
  PRIMARY KEY (`creditor_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE overdue_notice_lines (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `notice_id` BIGINT NOT NULL,
  `position` INT NOT NULL,
  `text` VARCHAR(250) NOT NULL,
  `gross` BIGINT NOT NULL,
  `type` VARCHAR(16) NOT NULL DEFAULT '',
  `transaction_date` DATE,
  PRIMARY KEY (`id`),
  UNIQUE KEY overdue_notice_lines_position (`notice_id`, `position`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE overdue_notices (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `sequence` INT NOT NULL,
  `issue_date` DATE NOT NULL,
  `due_date` DATE NOT NULL,
  `warning` TINYINT(1) NOT NULL,
  `fee` BIGINT NOT NULL,
  `interest` BIGINT NOT NULL,
  `gross` BIGINT NOT NULL,
  `comment` VARCHAR(500) NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `recipient_name1` VARCHAR(100) NOT NULL,
  `recipient_name2` VARCHAR(100) NOT NULL,
  `recipient_address1` VARCHAR(100) NOT NULL,
  `recipient_address2` VARCHAR(100) NOT NULL,
  `recipient_postal_code` VARCHAR(16) NOT NULL,
  `recipient_postal_name` VARCHAR(60) NOT NULL,
  `recipient_country_code` VARCHAR(2) NOT NULL,
  `recipient_email` VARCHAR(254) NOT NULL,
  `recipient_customer_number` VARCHAR(40) NOT NULL,
  `sheet` TEXT NOT NULL,
  `pdf` VARCHAR(64) NOT NULL,
  `withdrawn` DATE,
  `created_at` DATETIME(6) NOT NULL,
  `sequence_in_force` INT GENERATED ALWAYS AS (CASE WHEN withdrawn IS NULL THEN sequence END) STORED,
  `compensation` TINYINT(1) NOT NULL DEFAULT 0,
  `announces` TINYINT(1) NOT NULL DEFAULT 0,
  `recipient_organisation_number` VARCHAR(9) NOT NULL DEFAULT '',
  `asked_by` VARCHAR(200) NOT NULL DEFAULT '',
  `asked_fee` TINYINT(1) NOT NULL DEFAULT 0,
  `asked_interest` TINYINT(1) NOT NULL DEFAULT 0,
  `ehf` VARCHAR(64) NOT NULL DEFAULT '',
  `counts_until` DATE,
  `seller_id` BIGINT NOT NULL DEFAULT 0,
  `language` VARCHAR(2) NOT NULL DEFAULT '',
  `asked_method` VARCHAR(10) NOT NULL DEFAULT '',
  `anew_from` DATE,
  `letter_id` BIGINT NOT NULL DEFAULT 0,
  `adopted` TINYINT(1) NOT NULL DEFAULT 0,
  `recipient_phone` VARCHAR(16) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY overdue_notices_anew (`creditor_id`, `anew_from`),
  KEY overdue_notices_creditor (`creditor_id`, `id`),
  KEY overdue_notices_gross (`creditor_id`, `gross`),
  KEY overdue_notices_issue_date (`creditor_id`, `issue_date`),
  KEY overdue_notices_letter (`letter_id`, `id`),
  KEY overdue_notices_list (`creditor_id`, `withdrawn`, `id`),
  KEY overdue_notices_list_days (`creditor_id`, `withdrawn`, `issue_date`),
  UNIQUE KEY overdue_notices_sequence (`invoice_id`, `sequence_in_force`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE parts (
  `id` VARCHAR(32) NOT NULL,
  `kind` VARCHAR(32) NOT NULL,
  `host` VARCHAR(255) NOT NULL,
  `version` VARCHAR(100) NOT NULL,
  `schema_min` BIGINT NOT NULL,
  `schema_max` BIGINT NOT NULL,
  `started_at` DATETIME(6) NOT NULL,
  `seen_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE payment_file_parts (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `payment_file_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `transactions` INT NOT NULL,
  `amount` BIGINT NOT NULL,
  `matched` INT NOT NULL,
  `matched_amount` BIGINT NOT NULL,
  `unmatched` INT NOT NULL,
  `unmatched_amount` BIGINT NOT NULL,
  `duplicates` INT NOT NULL,
  `duplicates_amount` BIGINT NOT NULL,
  `ignored` INT NOT NULL,
  `ignored_amount` BIGINT NOT NULL,
  `latest_date` DATE,
  PRIMARY KEY (`id`),
  UNIQUE KEY payment_file_parts_creditor (`payment_file_id`, `creditor_id`),
  KEY payment_file_parts_latest (`creditor_id`, `latest_date`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE payment_files (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `owner_id` BIGINT NOT NULL,
  `filename` VARCHAR(250) NOT NULL,
  `source` VARCHAR(16) NOT NULL,
  `sha256` VARCHAR(64) NOT NULL,
  `size` BIGINT NOT NULL,
  `format` VARCHAR(16) NOT NULL,
  `sender` VARCHAR(40) NOT NULL,
  `transmission_number` VARCHAR(40) NOT NULL,
  `recipient_unit` VARCHAR(40) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `arrival` VARCHAR(300),
  `accept_conflict` TINYINT(1) NOT NULL DEFAULT 0,
  `duplicate_of` BIGINT NOT NULL,
  `identity` VARCHAR(200),
  `faults` TEXT NOT NULL,
  `warnings` TEXT NOT NULL,
  `lines_done` INT NOT NULL,
  `latest_date` DATE,
  `received_at` DATETIME(6) NOT NULL,
  `finished_at` DATETIME(6),
  `has_statement` TINYINT(1) NOT NULL DEFAULT 0,
  `removed_at` DATETIME(6),
  PRIMARY KEY (`id`),
  UNIQUE KEY payment_files_arrival (`arrival`),
  KEY payment_files_format (`format`),
  UNIQUE KEY payment_files_identity (`identity`),
  KEY payment_files_rejected (`state`, `removed_at`, `finished_at`),
  KEY payment_files_sha256 (`sha256`),
  KEY payment_files_state (`state`),
  KEY payment_files_statement (`has_statement`, `state`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE payment_plans (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `since` DATE NOT NULL,
  `sum` BIGINT NOT NULL,
  `last_entry_id` BIGINT NOT NULL,
  `instalments` TEXT NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `ended_on` DATE,
  `language` VARCHAR(2) NOT NULL,
  `seller_id` BIGINT NOT NULL,
  `recipient_name1` VARCHAR(100) NOT NULL,
  `recipient_name2` VARCHAR(100) NOT NULL,
  `recipient_address1` VARCHAR(100) NOT NULL,
  `recipient_address2` VARCHAR(100) NOT NULL,
  `recipient_postal_code` VARCHAR(16) NOT NULL,
  `recipient_postal_name` VARCHAR(60) NOT NULL,
  `recipient_country_code` VARCHAR(2) NOT NULL,
  `recipient_email` VARCHAR(254) NOT NULL,
  `recipient_customer_number` VARCHAR(40) NOT NULL,
  `recipient_organisation_number` VARCHAR(9) NOT NULL,
  `pdf` VARCHAR(64) NOT NULL DEFAULT '',
  `created_at` DATETIME(6) NOT NULL,
  `look_on` DATE NOT NULL DEFAULT '2000-01-01',
  `recipient_phone` VARCHAR(16) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY payment_plans_customer (`customer_id`, `id`),
  KEY payment_plans_invoice (`invoice_id`, `id`),
  KEY payment_plans_look (`creditor_id`, `state`, `look_on`, `id`),
  KEY payment_plans_state (`creditor_id`, `state`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE payment_references (
  `creditor_id` BIGINT NOT NULL,
  `kid` VARCHAR(25) NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `credit_note_id` BIGINT NOT NULL,
  `letter_id` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`creditor_id`, `kid`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE payment_twins (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `payment_file_id` BIGINT NOT NULL,
  `line_key` BINARY(32) NOT NULL,
  `account` VARCHAR(40) NOT NULL,
  `kid` VARCHAR(40) NOT NULL,
  `amount` BIGINT NOT NULL,
  `transaction_date` DATE NOT NULL,
  `from_account_number` VARCHAR(40) NOT NULL,
  PRIMARY KEY (`id`),
  KEY payment_twins_kid (`creditor_id`, `kid`),
  UNIQUE KEY payment_twins_line (`creditor_id`, `line_key`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE removals (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `kind` VARCHAR(16) NOT NULL,
  `subject` BIGINT NOT NULL DEFAULT 0,
  `sha256` CHAR(64) NOT NULL DEFAULT '',
  `next_attempt` DATETIME(6) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY removals_customer (`customer_id`),
  KEY removals_due (`next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE repayment_entries (
  `entry_id` BIGINT NOT NULL,
  `repayment_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  PRIMARY KEY (`entry_id`),
  KEY repayment_entries_creditor (`creditor_id`),
  KEY repayment_entries_repayment (`repayment_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE repayment_file_bytes (
  `file_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `pain` MEDIUMBLOB NOT NULL,
  `csv` MEDIUMBLOB NOT NULL,
  PRIMARY KEY (`file_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE repayment_files (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `number` BIGINT NOT NULL,
  `account` VARCHAR(11) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `transactions` BIGINT NOT NULL,
  `amount` BIGINT NOT NULL,
  `paid_on` DATE,
  `made_by` VARCHAR(200) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY repayment_files_number (`creditor_id`, `number`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE repayments (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `amount` BIGINT NOT NULL,
  `account` VARCHAR(11) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `file_id` BIGINT NOT NULL DEFAULT 0,
  `paid_on` DATE,
  `paid_at` DATETIME(6),
  `ordered_by` VARCHAR(200) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY repayments_customer (`customer_id`, `state`),
  KEY repayments_file (`file_id`),
  KEY repayments_state (`creditor_id`, `state`, `customer_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE runs (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `kind` VARCHAR(16) NOT NULL,
  `business_date` DATE NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `caught_up_by` DATE,
  `held_back` TINYINT(1) NOT NULL,
  `done` INT NOT NULL,
  `started_at` DATETIME(6) NOT NULL,
  `finished_at` DATETIME(6),
  `files_late` TINYINT(1) NOT NULL DEFAULT 0,
  `ceiling` INT NOT NULL DEFAULT 0,
  `approved_by` VARCHAR(150) NOT NULL DEFAULT '',
  `approved_at` DATETIME(6),
  `reminders` INT NOT NULL DEFAULT 0,
  `warnings` INT NOT NULL DEFAULT 0,
  `hand_overs` INT NOT NULL DEFAULT 0,
  `fees` BIGINT NOT NULL DEFAULT 0,
  `interest` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY runs_date (`creditor_id`, `kind`, `business_date`),
  KEY runs_held_back (`held_back`, `business_date`),
  KEY runs_state (`state`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE schema_gate (
  `id` INT NOT NULL,
  `schema_min` BIGINT NOT NULL,
  `raising` BIGINT NOT NULL,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE sellers (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `content` VARCHAR(64) NOT NULL,
  `name` VARCHAR(100) NOT NULL,
  `organisation_number` VARCHAR(9) NOT NULL,
  `business_register` TINYINT(1) NOT NULL,
  `vat_registered` TINYINT(1) NOT NULL,
  `vat_known` TINYINT(1) NOT NULL,
  `vat_exemption` VARCHAR(1) NOT NULL,
  `address1` VARCHAR(100) NOT NULL,
  `address2` VARCHAR(100) NOT NULL,
  `postal_code` VARCHAR(16) NOT NULL,
  `postal_name` VARCHAR(60) NOT NULL,
  `country_code` VARCHAR(2) NOT NULL,
  `email` VARCHAR(254) NOT NULL,
  `phone` VARCHAR(40) NOT NULL,
  `website` VARCHAR(100) NOT NULL,
  `bank_account` VARCHAR(11) NOT NULL,
  `iban` VARCHAR(34) NOT NULL,
  `bic` VARCHAR(11) NOT NULL,
  `ehf_default_reference` VARCHAR(100) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `footer_text` VARCHAR(500) NOT NULL DEFAULT '',
  `logo` VARCHAR(64) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY sellers_content (`creditor_id`, `content`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE settings (
  `name` VARCHAR(40) NOT NULL,
  `value` VARCHAR(500) NOT NULL,
  PRIMARY KEY (`name`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE shipment_reports (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `shipment_id` BIGINT NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `at` DATETIME(6) NOT NULL,
  `reason` VARCHAR(500) NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `creditor_id` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY shipment_reports_creditor (`creditor_id`, `id`),
  UNIQUE KEY shipment_reports_once (`shipment_id`, `state`, `at`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE shipments (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `document_kind` VARCHAR(16) NOT NULL,
  `document_id` BIGINT NOT NULL,
  `copy` TINYINT(1) NOT NULL,
  `method` VARCHAR(16) NOT NULL,
  `recipient_name1` VARCHAR(100) NOT NULL,
  `recipient_name2` VARCHAR(100) NOT NULL,
  `recipient_address1` VARCHAR(100) NOT NULL,
  `recipient_address2` VARCHAR(100) NOT NULL,
  `recipient_postal_code` VARCHAR(16) NOT NULL,
  `recipient_postal_name` VARCHAR(60) NOT NULL,
  `recipient_country_code` VARCHAR(2) NOT NULL,
  `recipient_email` VARCHAR(254) NOT NULL,
  `recipient_customer_number` VARCHAR(40) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `attempts` INT NOT NULL,
  `first_attempt` DATETIME(6),
  `next_attempt` DATETIME(6) NOT NULL,
  `sent_at` DATETIME(6),
  `failure` TEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `taken_by` VARCHAR(32) NOT NULL DEFAULT '',
  `recipient_organisation_number` VARCHAR(9) NOT NULL DEFAULT '',
  `delivered_at` DATETIME(6),
  `receipt` VARCHAR(200) NOT NULL DEFAULT '',
  `fallback_of` BIGINT NOT NULL DEFAULT 0,
  `retried_at` DATETIME(6),
  `reported_at` DATETIME(6),
  `held_for` BIGINT NOT NULL DEFAULT 0,
  `given_up` TINYINT(1) NOT NULL DEFAULT 0,
  `batch_id` BIGINT NOT NULL DEFAULT 0,
  `patient_from` DATETIME(6),
  `kept_back` VARCHAR(20) NOT NULL DEFAULT '',
  `unclear_until` DATETIME(6),
  `once_more` TINYINT(1) NOT NULL DEFAULT 0,
  `more_time` TEXT,
  `friendly` DATE,
  `ordinary` DATE,
  `recipient_phone` VARCHAR(16) NOT NULL DEFAULT '',
  `decided` TINYINT(1) NOT NULL DEFAULT 0,
  `correction` TEXT,
  PRIMARY KEY (`id`),
  KEY shipments_batch (`batch_id`, `id`),
  KEY shipments_document (`document_kind`, `document_id`),
  KEY shipments_list (`creditor_id`, `id`, `state`, `method`),
  KEY shipments_owed (`state`, `next_attempt`),
  KEY shipments_turns (`state`, `creditor_id`, `next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE skipped_transmissions (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `payment_file_id` BIGINT NOT NULL,
  `owner_id` BIGINT NOT NULL,
  `sender` VARCHAR(40) NOT NULL,
  `recipient` VARCHAR(40) NOT NULL,
  `serial` BIGINT NOT NULL,
  `dismissed` TINYINT(1) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY skipped_transmissions_serial (`sender`, `recipient`, `serial`, `owner_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE standstills (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `invoice_id` BIGINT NOT NULL,
  `kind` VARCHAR(16) NOT NULL,
  `hold_reason` VARCHAR(32) NOT NULL,
  `comment` VARCHAR(500) NOT NULL,
  `since` DATETIME(6),
  `started_by` VARCHAR(200) NOT NULL,
  `until` DATE,
  `last_day` DATE NOT NULL,
  `ended_at` DATETIME(6),
  `ended_by` VARCHAR(200) NOT NULL,
  PRIMARY KEY (`id`),
  KEY standstills_customer (`customer_id`, `invoice_id`),
  KEY standstills_last_day (`creditor_id`, `last_day`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE statement_lines (
  `payment_file_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `account` VARCHAR(40) NOT NULL,
  `transaction_date` DATE NOT NULL,
  `format` VARCHAR(16) NOT NULL,
  `reference` VARCHAR(80) NOT NULL,
  `entry` INT NOT NULL,
  `transactions` INT NOT NULL,
  `amount` BIGINT NOT NULL,
  `file_amount` BIGINT NOT NULL,
  `matched` INT NOT NULL,
  `matched_amount` BIGINT NOT NULL,
  `unmatched` INT NOT NULL,
  `unmatched_amount` BIGINT NOT NULL,
  `duplicates` INT NOT NULL,
  `duplicates_amount` BIGINT NOT NULL,
  PRIMARY KEY (`payment_file_id`, `creditor_id`, `account`, `transaction_date`, `reference`, `entry`),
  KEY statement_lines_date (`creditor_id`, `transaction_date`, `account`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE statements (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `customer_id` BIGINT NOT NULL,
  `from_date` DATE,
  `to_date` DATE NOT NULL,
  `pdf` VARCHAR(64) NOT NULL DEFAULT '',
  `created_at` DATETIME(6) NOT NULL,
  `seller_id` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY statements_customer (`creditor_id`, `customer_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE transmissions (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `payment_file_id` BIGINT NOT NULL,
  `owner_id` BIGINT NOT NULL,
  `creditor_id` BIGINT NOT NULL,
  `sender` VARCHAR(40) NOT NULL,
  `recipient` VARCHAR(40) NOT NULL,
  `number` VARCHAR(60) NOT NULL,
  `serial` BIGINT NOT NULL,
  `account` VARCHAR(40) NOT NULL,
  `content` VARCHAR(64) NOT NULL,
  `version` INT NOT NULL,
  PRIMARY KEY (`id`),
  KEY transmissions_serial (`sender`, `recipient`, `serial`),
  UNIQUE KEY transmissions_version (`sender`, `recipient`, `number`, `creditor_id`, `account`, `version`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE unmatched_payments (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `payment_file_id` BIGINT NOT NULL,
  `line` INT NOT NULL,
  `line_key` BINARY(32) NOT NULL,
  `account` VARCHAR(40) NOT NULL,
  `transaction_type` INT NOT NULL,
  `amount` BIGINT NOT NULL,
  `transaction_date` DATE NOT NULL,
  `bank_date` DATE,
  `kid` VARCHAR(40) NOT NULL,
  `from_account_number` VARCHAR(40) NOT NULL,
  `archive_reference` VARCHAR(40) NOT NULL,
  `text` TEXT NOT NULL,
  `reason` VARCHAR(16) NOT NULL,
  `status` VARCHAR(16) NOT NULL,
  `entry_id` BIGINT NOT NULL,
  `comment` VARCHAR(500) NOT NULL,
  `suggested_customer_id` BIGINT,
  `created_at` DATETIME(6) NOT NULL,
  `payer_name` VARCHAR(140) NOT NULL DEFAULT '',
  `further_entries` TEXT,
  `waiting_long` TINYINT(1) NOT NULL DEFAULT 0,
  `not_of` TEXT,
  `ultimate_payer` VARCHAR(140) NOT NULL DEFAULT '',
  `letter_id` BIGINT NOT NULL DEFAULT 0,
  `reversal_of` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY unmatched_payments_amount (`creditor_id`, `amount`),
  KEY unmatched_payments_file (`payment_file_id`),
  KEY unmatched_payments_kid (`creditor_id`, `kid`),
  KEY unmatched_payments_letter (`letter_id`, `id`),
  UNIQUE KEY unmatched_payments_line (`creditor_id`, `line_key`),
  KEY unmatched_payments_reversal (`reversal_of`),
  KEY unmatched_payments_shield (`creditor_id`, `status`, `created_at`, `suggested_customer_id`),
  KEY unmatched_payments_status (`creditor_id`, `status`, `id`),
  KEY unmatched_payments_unseen (`suggested_customer_id`, `creditor_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE ways_out (
  `creditor_id` BIGINT NOT NULL,
  `method` VARCHAR(16) NOT NULL,
  `left_by` VARCHAR(16) NOT NULL DEFAULT '',
  `refusal` VARCHAR(320) NOT NULL DEFAULT '',
  `refused` VARCHAR(120) NOT NULL DEFAULT '',
  `accepted_at` DATETIME(6),
  `paused_since` DATETIME(6),
  `next_trial` DATETIME(6),
  `trials` INT NOT NULL DEFAULT 0,
  `told` VARCHAR(320) NOT NULL DEFAULT '',
  `told_at` DATETIME(6),
  `lacks` VARCHAR(200) NOT NULL DEFAULT '',
  PRIMARY KEY (`creditor_id`, `method`),
  KEY ways_out_next_trial (`next_trial`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE webhook_deliveries (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `webhook_id` BIGINT NOT NULL,
  `event_id` BIGINT NOT NULL,
  `event_type` VARCHAR(40) NOT NULL,
  `state` VARCHAR(16) NOT NULL,
  `attempts` INT NOT NULL,
  `next_attempt` DATETIME(6) NOT NULL,
  `delivered_at` DATETIME(6),
  `response_status` INT NOT NULL,
  `failure` TEXT NOT NULL,
  `body` MEDIUMTEXT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `taken_by` VARCHAR(32) NOT NULL DEFAULT '',
  `spared` INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY webhook_deliveries_due (`state`, `next_attempt`),
  UNIQUE KEY webhook_deliveries_event (`webhook_id`, `event_id`),
  KEY webhook_deliveries_list (`webhook_id`, `id`),
  KEY webhook_deliveries_owed (`state`, `webhook_id`, `next_attempt`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE webhooks (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `creditor_id` BIGINT NOT NULL,
  `url` VARCHAR(500) NOT NULL,
  `description` VARCHAR(500) NOT NULL,
  `enabled` TINYINT(1) NOT NULL,
  `event_types` TEXT NOT NULL,
  `secret` VARCHAR(100) NOT NULL,
  `old_secret` VARCHAR(100) NOT NULL,
  `old_secret_until` DATETIME(6),
  `created_at` DATETIME(6) NOT NULL,
  `as_json` TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY webhooks_creditor (`creditor_id`, `id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

CREATE TABLE words (
  `creditor_id` BIGINT NOT NULL,
  `kind` TINYINT NOT NULL,
  `word` VARCHAR(40) NOT NULL,
  `row_id` BIGINT NOT NULL,
  PRIMARY KEY (`creditor_id`, `kind`, `word`, `row_id`),
  KEY words_row (`row_id`, `kind`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE workers (
  `id` VARCHAR(32) NOT NULL,
  `machine` VARCHAR(100) NOT NULL,
  `beats` BIGINT NOT NULL,
  `created_at` DATETIME(6) NOT NULL,
  `ways` VARCHAR(120) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
