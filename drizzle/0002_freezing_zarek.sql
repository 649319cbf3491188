ALTER TABLE "mcp_servers" ADD COLUMN "allow_sampling" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "offer_contents" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "schema_dialect" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "output_schema" jsonb;