-- The audit is partitioned by month, which the schema generator cannot express: the plain table that it made is
-- replaced, still empty, by a partitioned one with the same columns and indexes.
DROP TABLE "audit_events";
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"workspace_id" uuid NOT NULL,
	"event" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"subject" text,
	"tool" text,
	"verdict" text,
	"conversation_id" uuid,
	"turn_id" uuid,
	"call_id" uuid,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text,
	CONSTRAINT "audit_events_at_id_pk" PRIMARY KEY("at","id")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "audit_events_newest" ON "audit_events" USING btree ("workspace_id","at","id");
--> statement-breakpoint
CREATE INDEX "audit_events_by_tool" ON "audit_events" USING btree ("workspace_id","tool","at");
--> statement-breakpoint
CREATE INDEX "audit_events_by_conversation" ON "audit_events" USING btree ("conversation_id","at");
--> statement-breakpoint
-- Catches rows of a month that nobody has prepared, so that an audit row is never refused.
CREATE TABLE "audit_events_default" PARTITION OF "audit_events" DEFAULT;
--> statement-breakpoint
CREATE FUNCTION "audit_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'audit events are append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events"
	FOR EACH ROW EXECUTE FUNCTION "audit_append_only"();
