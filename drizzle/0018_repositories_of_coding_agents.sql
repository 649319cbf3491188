CREATE TABLE "coding_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"key" jsonb NOT NULL,
	"client" text NOT NULL,
	"version" text,
	"host" text NOT NULL,
	"user_name" text,
	"mode" text NOT NULL,
	"connected_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coding_connections_keyId_client_host_unique" UNIQUE("key_id","client","host")
);
--> statement-breakpoint
CREATE TABLE "repository_policies" (
	"workspace_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"text" text NOT NULL,
	"kept_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "repository_policies_workspace_id_digest_pk" PRIMARY KEY("workspace_id","digest")
);
--> statement-breakpoint
ALTER TABLE "coding_sessions" ADD COLUMN "blocks_on_failure" boolean;--> statement-breakpoint
ALTER TABLE "coding_sessions" ADD COLUMN "policy_digest" text;--> statement-breakpoint
ALTER TABLE "coding_connections" ADD CONSTRAINT "coding_connections_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repository_policies" ADD CONSTRAINT "repository_policies_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;