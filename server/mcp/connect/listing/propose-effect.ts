import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ToolHints } from "@/contracts/tool-changes";
import type { ToolEffect } from "@/contracts/tools";

/** An effect that a person may confirm for a foreign tool, and what it was read from. */
export type EffectProposal = { effect: ToolEffect; because: string };

type Described = { rawName: string; description: string; inputSchema: JsonObject; annotations?: ToolHints | null | undefined };

/** Verbs of tools' names and of the first words of their descriptions, by what they do to the world. */
const verbs: Record<ToolEffect, readonly string[]> = {
  destroy: words(
    "delete del remove rm drop purge destroy wipe clear erase truncate reset revoke terminate kill uninstall prune force overwrite cancel discard empty expire unpublish rollback revert",
  ),
  write: words(
    "create add insert update upsert set write edit put patch post send upload publish deploy run execute exec start stop restart reboot move rename copy merge push commit submit approve reject assign unassign invite enable disable import sync archive unarchive close reopen click type fill press drag hover select pay buy transfer book order make generate render build register subscribe unsubscribe follow unfollow like comment reply react schedule trigger invoke modify change replace append attach detach link unlink mark toggle install configure save store record log pin unpin lock unlock mute unmute share grant fork clone mkdir touch apply scale resize rotate convert navigate open launch login logout authenticate connect disconnect complete remember forget draft forward star unstar transition download",
  ),
  read: words(
    "get list read search find fetch query show describe view lookup look check count status info inspect browse validate compare calculate calc compute parse analyze analyse summarize summarise translate extract preview export ping echo resolve estimate watch diff explain whoami retrieve return see tell test verify detect discover identify recommend suggest monitor poll tail head stat scan crawl scrape ask retrieves returns gets lists reads searches finds fetches shows describes checks counts provides calculates computes analyzes displays extracts performs",
  ),
};

/** What a tool is about that only reads, where its name has no verb: `weather_forecast`, `current_time`. */
const readNouns = new Set(
  words(
    "time weather forecast price prices quote quotes news history details detail summary stats statistics metrics report help docs documentation version health schema tree screenshot snapshot profile rate rates trends",
  ),
);
/** Parameters whose text is a program, which may do anything. */
const programParameters = /^(?:sql|code|script|command|cmd|shell|javascript|js|python|expression_to_run|function)$/i;
const onlyReads = /\bread[- ]?only\b|\bdoes(?: not|n't) (?:modify|change|write)|\bwithout (?:modifying|changing)\b/i;

function words(text: string): string[] {
  return text.split(" ");
}

/**
 * Proposes a foreign tool's effect from its name, its description and its parameters. It only ever helps a person: an effect
 * counts when it was confirmed. What says nothing is taken to change things; where two readings differ, the stricter counts.
 */
export function proposeEffect({ rawName, description, inputSchema, annotations }: Described): EffectProposal {
  const parameters = isJsonObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
  const program = parameters.find((name) => programParameters.test(name));
  const claimsToRead = onlyReads.test(description);
  if (program && !claimsToRead) return { effect: "destroy", because: `its parameter ${program} takes a program` };
  const named = proposalOf(partsOf(rawName), "its name says");
  if (named && named.effect !== "read") return stricter(named, annotations);
  if (claimsToRead) return stricter({ effect: "read", because: "its description says that it only reads" }, annotations);
  if (named) return stricter(named, annotations);
  const noun = partsOf(rawName).find((part) => readNouns.has(part));
  const described = proposalOf(partsOf(description).slice(0, 3), "its description begins with");
  if (described) return stricter(described, annotations);
  if (noun) return stricter({ effect: "read", because: `its name is about ${noun}` }, annotations);
  if (annotations?.readOnlyHint) return stricter({ effect: "read", because: "its server says that it only reads" }, annotations);
  return stricter({ effect: "write", because: "nothing says what it does" }, annotations);
}

/** The first verb decides: `list_deleted_items` lists, and `search_and_delete` is named by its second verb as well. */
function proposalOf(parts: readonly string[], lead: string): EffectProposal | null {
  const found = parts.flatMap((part, place) => {
    const effect = effectOf(part);
    return effect ? [{ effect, part, place }] : [];
  });
  const [first] = found;
  if (!first) return null;
  const joined = found.find(({ place }) => parts[place - 1] === "and" || parts[place - 1] === "or");
  const chosen = joined && rank[joined.effect] > rank[first.effect] ? joined : first;
  return { effect: chosen.effect, because: `${lead} “${chosen.part}”` };
}

const rank: Record<ToolEffect, number> = { read: 0, write: 1, destroy: 2 };
const effectByVerb = new Map(
  (["read", "write", "destroy"] as const).flatMap((effect) => verbs[effect].map((verb) => [verb, effect] as const)),
);

/** Also finds the third person of a description: `Deletes`. */
function effectOf(part: string): ToolEffect | null {
  return effectByVerb.get(part) ?? effectByVerb.get(part.replace(/s$/, "")) ?? effectByVerb.get(part.replace(/es$/, "")) ?? null;
}

/** A server that calls its own tool destructive is believed. */
function stricter(proposal: EffectProposal, annotations: ToolHints | null | undefined): EffectProposal {
  if (annotations?.destructiveHint !== true || proposal.effect === "destroy") return proposal;
  return { effect: "destroy", because: "its server says that it may destroy" };
}

/** Splits `listOpenPRs`, `list-open_prs` and a sentence into lower-case words. */
const partsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
