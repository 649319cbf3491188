/**
 * A worker in its own process, which a test kills. Run with `--conditions=react-server --import tsx` and a channel. The
 * worker takes an item of the queue named by its argument, reports that, and never finishes the item.
 */
import { z } from "zod";
import { workQueueNames } from "@/contracts/operations/work";
import { startEngine } from "@/server/jobs/engine";
import { handled, runQueue } from "@/server/jobs/run-queue";
import { defineQueue, type Queue } from "@/server/platform/queue";

const queue = defineQueue({
  title: "Of a test",
  description: "Of a test",
  name: z.enum(workQueueNames).parse(process.argv[2]),
  input: z.object({ n: z.number() }),
});
const { boss } = await startEngine([queue as unknown as Queue], { works: false });
const runner = runQueue(
  boss,
  handled(queue, async ({ n }) => {
    process.send?.({ taken: n });
    await new Promise(() => {});
  }),
);
await runner.look();
process.once("disconnect", () => process.exit(0));
