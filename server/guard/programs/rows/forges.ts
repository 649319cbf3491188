import { type Program, program } from "../program";
import { asksForge } from "../special/forges";

const forgeValued = {
  "-X --method -H --header -q --jq -t --template -R --repo -L --limit -b --body --title --json --state -l --label -a --assignee -f --raw-field --hostname --cache -B --base --head":
    "text",
  "-F --field": "data",
  "--input --body-file": "configures",
  "-D --dir -O --output": "writes",
} as const;

/** Clients of the services that host repositories. */
export const forgePrograms: readonly Program[] = [
  program("gh hub", { special: asksForge("api.github.com"), valued: forgeValued }),
  program("glab", { special: asksForge("gitlab.com"), valued: forgeValued }),
];
