CREATE TABLE "contact_link_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_link_codes_workspaceId_hash_unique" UNIQUE("workspace_id","hash")
);
--> statement-breakpoint
CREATE TABLE "contact_addresses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"messenger_id" uuid NOT NULL,
	"address" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"chat" text,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_addresses_messengerId_address_unique" UNIQUE("messenger_id","address")
);
--> statement-breakpoint
CREATE TABLE "messenger_chats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"messenger_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"chat" text NOT NULL,
	"thread" text DEFAULT '' NOT NULL,
	"title" text,
	"reply_to" jsonb,
	"agent_id" uuid,
	"conversation_id" uuid,
	"last_received_at" timestamp (3) with time zone,
	"receiving_by" uuid,
	"sending_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messenger_chats_messengerId_chat_thread_unique" UNIQUE("messenger_id","chat","thread")
);
--> statement-breakpoint
CREATE TABLE "messenger_inbound" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"messenger_id" uuid NOT NULL,
	"chat_id" uuid NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"message_ref" text,
	"sender_id" text NOT NULL,
	"sender_name" text NOT NULL,
	"sender_email" text,
	"contact_id" uuid,
	"text" text NOT NULL,
	"is_mention" boolean DEFAULT false NOT NULL,
	"is_verified" boolean DEFAULT true NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"batch_id" uuid,
	"prompt" text,
	"attachments" jsonb,
	"conversation_id" uuid,
	"run_id" uuid,
	"error" text,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "messenger_inbound_messengerId_key_unique" UNIQUE("messenger_id","key")
);
--> statement-breakpoint
CREATE TABLE "messenger_outbound" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"messenger_id" uuid NOT NULL,
	"chat_id" uuid NOT NULL,
	"key" text NOT NULL,
	"content" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"message_ref" text,
	"run_id" uuid,
	"approval_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_by" uuid,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "messenger_outbound_messengerId_key_unique" UNIQUE("messenger_id","key")
);
--> statement-breakpoint
CREATE TABLE "messenger_tools" (
	"tool_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"messenger_id" uuid,
	"base" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messengers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"platform" text NOT NULL,
	"transport" text NOT NULL,
	"agent_id" uuid,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets_sealed" text NOT NULL,
	"writers" text NOT NULL,
	"needs_mention" boolean NOT NULL,
	"done_sign" boolean NOT NULL,
	"streams" boolean NOT NULL,
	"join_seconds" integer NOT NULL,
	"approvals" text NOT NULL,
	"enabled" boolean NOT NULL,
	"bot" jsonb,
	"state" text DEFAULT 'waiting' NOT NULL,
	"last_error" text,
	"last_error_at" timestamp (3) with time zone,
	"last_received_at" timestamp (3) with time zone,
	"last_sent_at" timestamp (3) with time zone,
	"cursor" text,
	"created_by" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messengers_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "place" jsonb;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "notes" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_link_codes" ADD CONSTRAINT "contact_link_codes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_link_codes" ADD CONSTRAINT "contact_link_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_addresses" ADD CONSTRAINT "contact_addresses_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_addresses" ADD CONSTRAINT "contact_addresses_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_addresses" ADD CONSTRAINT "contact_addresses_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_chats" ADD CONSTRAINT "messenger_chats_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_chats" ADD CONSTRAINT "messenger_chats_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_chats" ADD CONSTRAINT "messenger_chats_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_chats" ADD CONSTRAINT "messenger_chats_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_inbound" ADD CONSTRAINT "messenger_inbound_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_inbound" ADD CONSTRAINT "messenger_inbound_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_inbound" ADD CONSTRAINT "messenger_inbound_chat_id_messenger_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."messenger_chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_inbound" ADD CONSTRAINT "messenger_inbound_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_outbound" ADD CONSTRAINT "messenger_outbound_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_outbound" ADD CONSTRAINT "messenger_outbound_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_outbound" ADD CONSTRAINT "messenger_outbound_chat_id_messenger_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."messenger_chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_tools" ADD CONSTRAINT "messenger_tools_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_tools" ADD CONSTRAINT "messenger_tools_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messenger_tools" ADD CONSTRAINT "messenger_tools_messenger_id_messengers_id_fk" FOREIGN KEY ("messenger_id") REFERENCES "public"."messengers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messengers" ADD CONSTRAINT "messengers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messengers" ADD CONSTRAINT "messengers_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_addresses_contact_id_index" ON "contact_addresses" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "messenger_chats_conversation_id_index" ON "messenger_chats" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "messenger_inbound_open" ON "messenger_inbound" USING btree ("chat_id","id") WHERE "messenger_inbound"."status" in ('pending', 'started');--> statement-breakpoint
CREATE INDEX "messenger_inbound_messenger_id_id_index" ON "messenger_inbound" USING btree ("messenger_id","id");--> statement-breakpoint
CREATE INDEX "messenger_outbound_open" ON "messenger_outbound" USING btree ("chat_id","id") WHERE "messenger_outbound"."status" in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "messenger_outbound_messenger_id_id_index" ON "messenger_outbound" USING btree ("messenger_id","id");--> statement-breakpoint
CREATE INDEX "messenger_outbound_approval_id_index" ON "messenger_outbound" USING btree ("approval_id");--> statement-breakpoint
CREATE INDEX "messenger_tools_workspace_id_index" ON "messenger_tools" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "messenger_tools_messenger_id_index" ON "messenger_tools" USING btree ("messenger_id");--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contacts_user_id_index" ON "contacts" USING btree ("user_id");