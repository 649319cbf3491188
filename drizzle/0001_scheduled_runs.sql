ALTER TABLE "schedule_runs" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD COLUMN "error" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "paused_reason" text;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_runs_run_id_index" ON "schedule_runs" USING btree ("run_id");