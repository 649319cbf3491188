CREATE TABLE "group_nodes" (
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"group_agent_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"stopped" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_wires" (
	"from_agent_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"group_agent_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_wires_from_agent_id_channel_id_pk" PRIMARY KEY("from_agent_id","channel_id")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "privileged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "group_agent_id" uuid;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_from_agent_id_agents_id_fk" FOREIGN KEY ("from_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_nodes_group_agent_id_index" ON "group_nodes" USING btree ("group_agent_id");--> statement-breakpoint
CREATE INDEX "group_nodes_channel_id_index" ON "group_nodes" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "group_wires_channel_id_index" ON "group_wires" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "group_wires_group_agent_id_index" ON "group_wires" USING btree ("group_agent_id");--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channels_group_agent_id_index" ON "channels" USING btree ("group_agent_id");