import type { FilesCapability } from "./files";
import type { HttpCapability } from "./http";
import type { ShellCapability } from "./shell";

/** Makes an extension tool callable in this conversation; answers the sentence for the model, or throws AppError. */
export type DisclosureCapability = { enable: (toolName: string) => Promise<string> };

/** Everything that a tool can be given. Each is guarded once, where it is made, and never in a tool. */
export type Capabilities = {
  files: FilesCapability;
  shell: ShellCapability;
  http: HttpCapability;
  disclosure: DisclosureCapability;
};
