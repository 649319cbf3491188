CREATE TABLE "mcp_person_sign_ins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"server_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"authorization" jsonb,
	"last_error" text,
	"tokens_sealed" text,
	"renew_at" timestamp (3) with time zone,
	"generation" integer DEFAULT 0 NOT NULL,
	"state_hash" text,
	"request_sealed" text,
	"request_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_person_sign_ins_stateHash_unique" UNIQUE("state_hash"),
	CONSTRAINT "mcp_person_sign_ins_serverId_personId_unique" UNIQUE("server_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "personal_sign_in" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "listed_with" jsonb;--> statement-breakpoint
ALTER TABLE "mcp_person_sign_ins" ADD CONSTRAINT "mcp_person_sign_ins_server_id_mcp_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_person_sign_ins" ADD CONSTRAINT "mcp_person_sign_ins_member" FOREIGN KEY ("workspace_id","person_id") REFERENCES "public"."memberships"("workspace_id","user_id") ON DELETE cascade ON UPDATE no action;