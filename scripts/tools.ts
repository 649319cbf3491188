/**
 * `npm run tools [-- --json]`: the tools that come with Handrail, by the tier in which a new workspace has them. An agent's
 * own list, with tools of MCP servers, is `GET /api/v1/tools`.
 */
import { parseArgs } from "node:util";
import { families } from "@/server/families";
import { collectFamilies } from "@/server/families/collect-families";
import { channelToolPreview } from "@/server/families/messengers/messenger-tools";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const tools = collectFamilies(families).tools.map(({ name, title, family, defaultTier, effect, aliases }) => ({
  name,
  title,
  family,
  tier: defaultTier,
  effect,
  aliases,
}));

const preview = channelToolPreview();
if (values.json) {
  const channel = preview.map(({ platform, tool: { name, title, effect } }) => ({ name, title, effect, platform }));
  console.log(JSON.stringify({ items: tools, channel }, null, 2));
} else {
  const width = Math.max(...tools.map(({ name }) => name.length));
  for (const { tier, heading } of [
    { tier: "core", heading: "Core: models see them in full" },
    { tier: "extension", heading: "Extension: a line in the directory until enable_tool" },
  ] as const) {
    const group = tools.filter((tool) => tool.tier === tier);
    console.log(`${heading} (${group.length})`);
    for (const { name, effect, title } of group) console.log(`  ${name.padEnd(width)}  ${effect.padEnd(7)}  ${title}`);
    console.log("");
  }
  console.log(`Channel: they come and go with the messengers of a workspace (${preview.length})`);
  for (const { platform, tool } of preview)
    console.log(`  ${tool.name.padEnd(width)}  ${tool.effect.padEnd(7)}  ${tool.title} (${platform})`);
}
