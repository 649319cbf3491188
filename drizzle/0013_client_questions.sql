ALTER TABLE "mcp_client_sessions" ADD COLUMN "answers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_client_sessions" ADD COLUMN "log_level" text;--> statement-breakpoint
ALTER TABLE "mcp_client_sessions" ADD COLUMN "subscriptions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "questions" text DEFAULT 'client_first' NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "meta" jsonb;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "sealed_meta" text;