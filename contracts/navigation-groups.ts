/** Groups of pages in the order of the navigation, with their headings. */
export const navigationGroups = {
  work: "Work",
  agents: "Agents and tools",
  rules: "Rules",
  connections: "Connections",
  admin: "Administration",
} as const;

export type NavigationGroup = keyof typeof navigationGroups;
