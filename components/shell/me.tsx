"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Me } from "@/contracts/identity";
import type { Permission } from "@/contracts/permissions";

const MeContext = createContext<Me | null>(null);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext.Provider value={me}>{children}</MeContext.Provider>;
}

/** Who is signed in, in which workspace. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe() belongs inside the console's shell");
  return me;
}

/** Why the signed-in person may not do something; null when they may. The server checks again. */
export function useRefusal(permission: Permission): string | null {
  const me = useMe();
  if (me.scopes.includes(permission)) return null;
  return `Your role, ${me.role ?? "none"}, does not include this. Ask an admin of ${me.workspace.name}.`;
}
