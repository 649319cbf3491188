ALTER TABLE "workflow_runs" ADD COLUMN "ordered_in" uuid;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_ordered_in_conversations_id_fk" FOREIGN KEY ("ordered_in") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_runs_ordered_in_index" ON "workflow_runs" USING btree ("ordered_in");