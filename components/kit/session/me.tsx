"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Me } from "@/contracts/identity/identity";
import type { Permission, Role } from "@/contracts/permissions";

const roleNames: Record<Role, string> = { owner: "Owners", admin: "Admins", approver: "Approvers", viewer: "Viewers" };

const MeContext = createContext<Me | null>(null);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext.Provider value={me}>{children}</MeContext.Provider>;
}

/** Returns the signed-in person and their workspace. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe() belongs inside the console's shell");
  return me;
}

/** Returns why the signed-in person may not do something; null when they may. The server checks again. */
export function useRefusal(permission: Permission): string | null {
  const me = useMe();
  if (me.scopes.includes(permission)) return null;
  return me.role === null ? "Your account can't do this. Ask an admin." : `${roleNames[me.role]} can't do this. Ask an admin.`;
}
