import { beforeEach, expect, test } from "vitest";
import { zipOf } from "@/e2e/document-files";
import { skillText } from "@/e2e/skill-packages";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import type { ModelServerRequest } from "@/server/testing/models/model-protocol-server";
import { calling, giveModel, saying, sentTexts, start, useRunStage } from "@/server/testing/models/run-stage";
import { installPackage, openZip } from "./install-skills";

const stage = useRunStage();
const isSummary = ({ body }: ModelServerRequest) => JSON.stringify(body.messages).includes("You summarise a conversation");

beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
  const texts = { "brand-voice/SKILL.md": skillText("brand-voice", "", "Be brief and warm. Never write in capitals.") };
  await installPackage(authorize(stage.built.admin, "skills:write"), await openZip(zipOf(texts)), {
    acceptFindings: false,
    replace: false,
  });
});

test("a loaded skill is word for word in each request behind the summaries of a long conversation, and the summary names it", async () => {
  let summaries = 0;
  let steps = 0;
  const server = await giveModel(
    stage,
    (request) => {
      if (isSummary(request)) {
        summaries += 1;
        return saying("Words were read.");
      }
      steps += 1;
      if (steps === 1) return calling(["load_skill", { skillName: "brand-voice" }]);
      return summaries >= 3 ? saying("Done.") : calling(["flood", { chars: 3_000 + steps }]);
    },
    { runLimits: { contextTokens: 4_000, steps: 100, tokens: 100_000_000 } },
  );
  expect(await start(stage, "Write as we do", { wait: 60 })).toMatchObject({ status: "succeeded", answer: "Done." });
  const steady = server.requests.filter((request) => !isSummary(request)).slice(1);
  for (const request of steady) {
    const sent = sentTexts(request).join("\n");
    expect(sent.split("Be brief and warm. Never write in capitals.")).toHaveLength(2);
  }
  const summary = sentTexts(steady.at(-1) as ModelServerRequest).find((text) => text.includes("was summarised"));
  expect(summary).toContain("Words were read.");
  expect(summary).toContain("Skills loaded in this conversation, which still hold: brand-voice.");
}, 60_000);
