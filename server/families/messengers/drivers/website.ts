import type { Account, Driver } from "./driver";

/** The chat on the pages of a website. It calls nobody: pages fetch the stored parts (`website/visit`). */
export function website({ id, name }: Account): Driver {
  return {
    identify: async () => ({ id, name }),
    post: async (_target, _part, key) => key,
  };
}
