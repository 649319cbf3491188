CREATE TABLE "searched_sets" (
	"workspace_id" uuid NOT NULL,
	"set" text NOT NULL,
	"rows" integer NOT NULL,
	"words" integer NOT NULL,
	CONSTRAINT "searched_sets_workspace_id_set_pk" PRIMARY KEY("workspace_id","set")
);
--> statement-breakpoint
CREATE TABLE "searched_words" (
	"workspace_id" uuid NOT NULL,
	"set" text NOT NULL,
	"word" text NOT NULL,
	"rows" integer NOT NULL,
	CONSTRAINT "searched_words_workspace_id_set_word_pk" PRIMARY KEY("workspace_id","set","word")
);
--> statement-breakpoint
ALTER TABLE "searched_sets" ADD CONSTRAINT "searched_sets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "searched_words" ADD CONSTRAINT "searched_words_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;