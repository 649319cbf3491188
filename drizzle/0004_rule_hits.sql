DROP INDEX "tool_calls_recent";--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "rule_id" text GENERATED ALWAYS AS (decision ->> 'ruleId') STORED;--> statement-breakpoint
CREATE INDEX "tool_calls_recent" ON "tool_calls" USING btree ("workspace_id","id","status","name","duration_ms","created_at","rule_id");