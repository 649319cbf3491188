CREATE TABLE "audit_archives" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"first_seal" integer NOT NULL,
	"last_seal" integer NOT NULL,
	"rows" integer NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"min_at" timestamp (3) with time zone NOT NULL,
	"max_at" timestamp (3) with time zone NOT NULL,
	"kinds" jsonb NOT NULL,
	"names" text[] NOT NULL,
	"unused_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_settings" ADD COLUMN "archive_months" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_archives_newest" ON "audit_archives" USING btree ("workspace_id","max_at");--> statement-breakpoint
CREATE INDEX "audit_archives_by_seal" ON "audit_archives" USING btree ("workspace_id","first_seal");--> statement-breakpoint
-- Written by hand: rows also leave the table when they are archived, recorded in the same transaction.
CREATE OR REPLACE FUNCTION "audit_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND ("audit_records"('audit.rows_removed') OR "audit_records"('audit.rows_archived')) THEN
		RETURN OLD;
	END IF;
	IF TG_OP = 'UPDATE' AND "audit_records"('audit.payloads_erased')
		AND to_jsonb(OLD) - '{actor_name,subject,data}'::text[] = to_jsonb(NEW) - '{actor_name,subject,data}'::text[] THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'audit events are append-only';
END $$;
