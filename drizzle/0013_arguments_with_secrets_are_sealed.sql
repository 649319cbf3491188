ALTER TABLE "jobs" ADD COLUMN "sealed_arguments" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "sealed_arguments" text;