ALTER TABLE "mcp_servers" ADD COLUMN "readable_paths" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "outside_sandbox" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "excluded_tools" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "parallel_calls" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "cures" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "last_ending" jsonb;