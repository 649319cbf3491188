-- Written by hand: the schema generator cannot express functions and triggers.
-- Whether this transaction has written the audit row that records a removal or an erasure. Its id is handed over in a setting.
CREATE FUNCTION "audit_records"("name" text) RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT EXISTS (
		SELECT FROM "audit_events" WHERE "at" = now()::timestamp(3) with time zone
			AND "id" = nullif(current_setting('handrail.audit_record', true), '')::uuid
			AND "event" = "name" AND "xid" = "audit_position"(pg_current_xact_id())
	)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "audit_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND "audit_records"('audit.rows_removed') THEN
		RETURN OLD;
	END IF;
	IF TG_OP = 'UPDATE' AND "audit_records"('audit.payloads_erased')
		AND to_jsonb(OLD) - '{actor_name,subject,data}'::text[] = to_jsonb(NEW) - '{actor_name,subject,data}'::text[] THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'audit events are append-only';
END $$;
--> statement-breakpoint
CREATE FUNCTION "audit_seals_guard"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND ("audit_records"('audit.rows_removed') OR "audit_records"('audit.payloads_erased'))
		AND to_jsonb(OLD) - 'leaves' = to_jsonb(NEW) - 'leaves' THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'seals of the audit are append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_seals_append_only" BEFORE UPDATE OR DELETE ON "audit_seals"
	FOR EACH ROW EXECUTE FUNCTION "audit_seals_guard"();
--> statement-breakpoint
CREATE FUNCTION "audit_refuse_truncate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit and its seals are append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_seals_no_truncate" BEFORE TRUNCATE ON "audit_seals" EXECUTE FUNCTION "audit_refuse_truncate"();
--> statement-breakpoint
CREATE TRIGGER "audit_events_no_truncate" BEFORE TRUNCATE ON "audit_events" EXECUTE FUNCTION "audit_refuse_truncate"();
--> statement-breakpoint
-- A trigger of TRUNCATE belongs to one table, so that each partition has its own. The start calls this for new ones.
CREATE FUNCTION "audit_guard_partitions"() RETURNS void LANGUAGE plpgsql AS $$
DECLARE "partition" regclass;
BEGIN
	FOR "partition" IN SELECT i.inhrelid::regclass FROM pg_inherits i WHERE i.inhparent = 'audit_events'::regclass
		AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = i.inhrelid AND t.tgname = 'audit_events_no_truncate')
	LOOP
		EXECUTE format('CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON %s EXECUTE FUNCTION audit_refuse_truncate()', "partition");
	END LOOP;
END $$;
--> statement-breakpoint
SELECT "audit_guard_partitions"();
