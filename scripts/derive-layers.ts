import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { importRules, staircase } from "./layers";
import { replaceGenerated } from "./replace-generated";

/** Writes Biome's import rules into biome.json and the staircase into docs/architecture.md; `npm run generate` calls it. */
const root = path.resolve(import.meta.dirname, "..");
type Override = { includes: string[]; linter?: { rules?: { style?: Record<string, unknown> } } };

const biomeFile = path.join(root, "biome.json");
const biome: { overrides: Override[] } = JSON.parse(readFileSync(biomeFile, "utf8"));
const others = biome.overrides.filter(({ linter }) => !linter?.rules?.style?.noRestrictedImports);
biome.overrides = [
  ...others,
  ...importRules.map(({ includes, group, message }) => ({
    includes: [...includes],
    linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns: [{ group, message }] } } } } },
  })),
];
writeFileSync(biomeFile, `${JSON.stringify(biome, null, 2)}\n`);

const docFile = path.join(root, "docs/architecture.md");
writeFileSync(docFile, replaceGenerated(readFileSync(docFile, "utf8"), "staircase", `\`\`\`\n${staircase()}\n\`\`\``));
process.stdout.write(`biome.json: ${importRules.length} import rules; docs/architecture.md: the staircase\n`);
