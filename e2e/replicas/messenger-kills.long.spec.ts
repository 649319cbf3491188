import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { guardEndpoints } from "@/contracts/guard/guard";
import { modelEndpoints } from "@/contracts/models/models";
import { type AskedCompletion, type StreamedReply, startStreamingModelServer } from "../streaming-model-server";
import { type Channel, startChannels } from "./channels";
import { type Cluster, startCluster } from "./cluster";
import { startCountingServer } from "./counting-server";
import { connectCounter } from "./load";
import { holderOf, type Stage, stages, untilConnected, untilRested } from "./messenger-holders";
import { type Random, randomFrom } from "./random";
import type { Replica } from "./replica";

/** Kills of one of two replicas: HANDRAIL_MESSENGER_KILLS=20 for the figure in bench/README.md. */
const kills = Number(process.env.HANDRAIL_MESSENGER_KILLS ?? 8);
const seed = Number(process.env.HANDRAIL_MESSENGER_KILL_SEED ?? 20_261_129);
const key = "sk-of-the-messengers";

test(`one of two replicas is killed ${kills} times between receipt, run, tool and answer: each message is answered once, and no tool runs twice`, async () => {
  test.setTimeout(240_000 + kills * 120_000);
  const counter = await startCountingServer();
  const asked = new Set<string>();
  const model = await startStreamingModelServer({ key, models: ["small"], reply: (question) => replyTo(question, asked) });
  const cluster = await startCluster({ name: "messengers", roles: ["all", "all"], settings: { HANDRAIL_MESSENGER_ALLOW_PRIVATE: "true" } });
  let channels: Channel[] = [];
  try {
    await cluster.admin.call(guardEndpoints.updateConfig, { body: { defaultPolicy: "allow" } });
    await cluster.admin.call(modelEndpoints.create, {
      body: { name: "Lab", kind: "openai_compatible", baseUrl: model.url, key, models: [{ name: "small" }] },
    });
    await connectCounter(cluster, counter);
    channels = await startChannels(cluster);
    for (const { id } of channels) await untilConnected(cluster, id);
    const sent: Sent[] = [];
    const random = randomFrom(seed);
    const trap = { asked, booked: counter.received.book, random };
    for (let number = 0; number < kills; number++) sent.push(...(await killOnce(cluster, channels, number, trap)));
    for (const channel of channels) await channel.sendAgain();
    await untilRested(cluster, sent.length);
    verify(sent, counter.received.book, await unknownTexts(cluster));
  } finally {
    await cluster.stop();
    for (const { close } of channels) await close();
    await model.close();
    counter.stop();
  }
});

type Sent = { channel: Channel; task: string };
type Trap = { asked: ReadonlySet<string>; booked: readonly string[]; random: Random };

const taskOf = (number: number, { name }: Channel): string => `task-${number}-${name.replaceAll(/\W/g, "")}`;
const answerOf = (task: string): string => `The work is finished, and these are the words about it: ${task} is done.`;

/** Each task books once, and then says so, slowly enough to be seen while it is written. */
function replyTo({ messages }: AskedCompletion, asked: Set<string>): StreamedReply {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const task = /task-\d+-\w+/.exec(JSON.stringify(messages[last]?.content ?? ""))?.[0] ?? "";
  if (messages.slice(last).some(({ role }) => role === "tool")) return { text: answerOf(task), pauseMs: 1_300 };
  asked.add(task);
  return { pauseMs: 80, toolCalls: [{ id: `call-${task}`, name: "counter__book", arguments: { id: task, ms: 150 } }] };
}

/** A message on every channel, and a kill of the replica that is at work on that of one of them. */
async function killOnce(cluster: Cluster, channels: readonly Channel[], number: number, trap: Trap): Promise<Sent[]> {
  const target = channels[number % channels.length] as Channel;
  const stage = stages[(number + Math.floor(number / channels.length)) % stages.length] as Stage;
  const sent = channels.map((channel) => ({ channel, task: taskOf(number, channel) }));
  const victim = victimAt(cluster, { stage, target, task: taskOf(number, target) }, trap);
  const deliveries = sent.map(({ channel, task }) => channel.send(`Please do ${task}`));
  const replica = await victim.found;
  await pause(trap.random.integer(20));
  await replica.kill();
  victim.release();
  const killedAt = Date.now();
  await Promise.all(deliveries);
  await untilRested(cluster, (number + 1) * channels.length);
  console.log(`kill ${number + 1} at ${stage} of ${target.name}: ${replica.name}; at rest after ${Date.now() - killedAt} ms`);
  await replica.start();
  return sent;
}

type Wanted = { stage: Stage; target: Channel; task: string };

/** Waits for the moment, and finds the replica that has the message in its hands. An answer is held back until `release`. */
function victimAt(cluster: Cluster, { stage, target, task }: Wanted, { asked, booked, random }: Trap) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: passed, resolve: pass } = Promise.withResolvers<string | null>();
  const off = cluster.proxy.onPass((name, _method, path) => {
    if (stage === "receipt" && path.includes(target.id)) pass(name);
  });
  target.onAnswer(async () => {
    if (stage !== "answer" || !target.answers().some((text) => text.includes(answerOf(task)))) return;
    pass(null);
    await released;
  });
  const watch = async () => {
    if (stage === "receipt" && !target.isCalled) return pass(null);
    const isReached = () => (stage === "run" ? asked.has(task) : stage === "tool" && booked.includes(task));
    if (stage === "run" || stage === "tool") {
      while (!isReached()) await pause(5);
      pass(null);
    }
  };
  const found = (async (): Promise<Replica> => {
    await watch();
    const name = (await passed) ?? (await holderOf(cluster, target.id, stage));
    off();
    return cluster.replicas.find((replica) => replica.name === name) ?? random.pick(cluster.replicas);
  })();
  return { found, release };
}

const unknownTexts = async ({ sql }: Cluster): Promise<string[]> =>
  (await sql<{ text: string | null }[]>`select content ->> 'text' as text from messenger_outbound where status = 'unknown'`).map(
    ({ text }) => text ?? "",
  );

function verify(sent: readonly Sent[], booked: readonly string[], unknown: readonly string[]): void {
  const [lost, doubled, bookedTwice]: string[][] = [[], [], []];
  let shownAsUnknown = 0;
  for (const { channel, task } of sent) {
    const answers = channel.answers().filter((text) => text.includes(`${task} is done.`)).length;
    const isUnknown = unknown.some((text) => text.includes(`${task} is done.`));
    if (answers === 0 && !isUnknown) lost?.push(task);
    if (answers > 1) doubled?.push(task);
    if (isUnknown) shownAsUnknown += 1;
    if (booked.filter((id) => id === task).length > 1) bookedTwice?.push(task);
  }
  const notBooked = sent.filter(({ task }) => !booked.includes(task)).length;
  console.log(
    JSON.stringify({
      messages: sent.length,
      kills,
      lost: lost?.length,
      doubled: doubled?.length,
      bookedTwice: bookedTwice?.length,
      shownAsUnknown,
      notBooked,
    }),
  );
  expect({ lost, doubled, bookedTwice }).toEqual({ lost: [], doubled: [], bookedTwice: [] });
}
