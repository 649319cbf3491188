CREATE TABLE "audit_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text,
	"held_from" timestamp (3) with time zone,
	"held_to" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_holds_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "audit_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"call_days" integer DEFAULT 0 NOT NULL,
	"configuration_days" integer DEFAULT 0 NOT NULL,
	"sign_in_days" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"total" bigint NOT NULL,
	"hash" text NOT NULL,
	"seal" text NOT NULL,
	"signature" text NOT NULL,
	"public_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"workspace_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"first_place" bigint NOT NULL,
	"rows" integer NOT NULL,
	"root" text NOT NULL,
	"through" timestamp (3) with time zone NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL,
	"signature" text NOT NULL,
	"public_key" text NOT NULL,
	"leaves" "bytea" NOT NULL,
	"last_xid" bigint NOT NULL,
	"last_id" uuid NOT NULL,
	"min_at" timestamp (3) with time zone NOT NULL,
	"max_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_seals_workspace_id_number_pk" PRIMARY KEY("workspace_id","number")
);
--> statement-breakpoint
CREATE TABLE "audit_verifications" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"verified_at" timestamp (3) with time zone NOT NULL,
	"ok" boolean NOT NULL,
	"rows" bigint NOT NULL,
	"sentence" text
);
--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "moved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "xid" bigint DEFAULT audit_position(pg_current_xact_id()) NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_holds" ADD CONSTRAINT "audit_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_settings" ADD CONSTRAINT "audit_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_checkpoints_by_number" ON "audit_checkpoints" USING btree ("workspace_id","number");--> statement-breakpoint
CREATE INDEX "audit_seals_by_last" ON "audit_seals" USING btree ("workspace_id","last_xid","last_id");--> statement-breakpoint
CREATE INDEX "audit_events_in_order" ON "audit_events" USING btree ("workspace_id","xid","id");