import { makeOutsideHome } from "@/server/capabilities/outside/outside-home";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { endAbandonedCommands, endRunningCommands } from "@/server/capabilities/shell/running-commands";
import { log } from "@/server/platform/log";
import type { BootStep } from "../define-family";
import { storeEnds } from "./processes/live-processes";
import { settleLostProcesses } from "./processes/settle-lost";

/** Makes the folder that an admin fills for calls outside of the sandbox. */
export const outsideHomeStep: BootStep = {
  title: "HOME of calls outside the sandbox",
  start: async () => {
    await makeOutsideHome().catch((error) => log().warn({ err: error }, "the HOME of calls outside the sandbox could not be made"));
    return async () => {};
  },
};

/** Stops after the commands, because commands use the networks. */
export const networksStep: BootStep = { title: "Networks of conversations", start: async () => endConversationNetworks };

/** Marks processes of servers that are gone. Stops after the commands, because their end has to be stored. */
export const processesStep: BootStep = {
  title: "Ends of processes",
  start: async () => {
    await settleLostProcesses();
    return storeEnds;
  },
};

/** Ends commands that a killed process left, and at the stop all that still run, so that no command outlives the process. */
export const commandsStep: BootStep = {
  title: "Shell commands",
  limitMs: 5_000,
  endsWork: true,
  start: async () => {
    const abandoned = await endAbandonedCommands();
    if (abandoned > 0) log().warn({ abandoned }, "shell commands of a server that was killed were still running; they were ended");
    return endRunningCommands;
  },
};
