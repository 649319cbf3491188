export const replicaRoles = ["all", "web", "worker"] as const;
export const replicaEndings = ["stopped", "lost"] as const;
