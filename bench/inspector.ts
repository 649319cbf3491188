import { z } from "zod";

const Memory = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number(), timers: z.number() });
export type Memory = z.infer<typeof Memory>;

const CallFrame = z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() });
const Profile = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: CallFrame, children: z.array(z.number()).default([]) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type Profile = z.infer<typeof Profile>;

export type Inspector = {
  /** Memory after collecting all garbage, in bytes, and how many timers are set. */
  memory: () => Promise<Memory>;
  /** Milliseconds of processor time that the process has used so far. */
  cpuMs: () => Promise<number>;
  /** Where the process spends its time while something goes on. */
  profile: (meanwhile: () => Promise<unknown>) => Promise<Profile>;
  close: () => void;
};

const memoryExpression = `(() => {
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external, timers: process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length };
})()`;

/** Talks to a Node process over the inspector's protocol. */
export async function inspect(address: string): Promise<Inspector> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the inspector does not answer")));
  });
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  });
  let lastId = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const evaluate = async <Value extends z.ZodType>(expression: string, value: Value): Promise<z.output<Value>> => {
    const answer = z.object({ result: z.object({ value: z.unknown() }) });
    return value.parse(answer.parse(await ask("Runtime.evaluate", { expression, returnByValue: true })).result.value);
  };
  return {
    async memory() {
      // Twice, because the first collection only queues some objects for finalisation.
      for (let time = 0; time < 3; time++) await ask("HeapProfiler.collectGarbage");
      return evaluate(memoryExpression, Memory);
    },
    async cpuMs() {
      const { user, system } = await evaluate("process.cpuUsage()", z.object({ user: z.number(), system: z.number() }));
      return (user + system) / 1_000;
    },
    async profile(meanwhile) {
      await ask("Profiler.enable");
      await ask("Profiler.setSamplingInterval", { interval: 500 });
      await ask("Profiler.start");
      await meanwhile();
      const { profile } = z.object({ profile: Profile }).parse(await ask("Profiler.stop"));
      await ask("Profiler.disable");
      return profile;
    },
    close: () => socket.close(),
  };
}
