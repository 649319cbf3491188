import { homePiece, type ShellWord } from "../../script/words";
import { findOptionValues } from "../given-options";
import { destroysElsewhere, type EffectSink, elevates, type FixedEffect, notes, type ProgramSpec, runsAnother } from "../program";

/** The daemon's socket lies outside of the sandbox, so every use leaves the sandbox. */
export const daemon: FixedEffect = { kind: "elevate", target: { where: "outside" }, says: "speaks to the daemon that starts containers" };
export const runsContainer = elevates("shell.container_run", "runs a program in a container");
export const opensHost = notes("shell.container_escape", "starts a container that has the machine in its hands");
export const destroysContainers = destroysElsewhere("deletes containers, images or volumes");

const machineFolder = /^\/(?:$|(?:etc|root|var|proc|dev|home|usr|sys|run|boot|lib|bin|sbin|Users|private)(?:\/|$))|docker\.sock|^~/;

/**
 * Returns the machine's side of `-v ./data:/data:ro` or `--mount type=bind,source=./data,target=/data`; null for a
 * named volume.
 */
function sourceOf(word: ShellWord, isMount: boolean): { source: string; isReadOnly: boolean } | null {
  if (isMount) {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(word.value)?.[1];
    return source === undefined || /type=(?:volume|tmpfs)/.test(word.value)
      ? null
      : { source, isReadOnly: /(?:^|,)(?:readonly|ro)/.test(word.value) };
  }
  const [source = "", target, mode] = word.value.split(":");
  if (target === undefined || !(/^[./~]/.test(source) || source.startsWith(homePiece) || word.certainty !== "literal")) return null;
  return { source, isReadOnly: mode === "ro" };
}

export function mounts({ parsed, role, does, content }: EffectSink): void {
  for (const { name, value } of parsed.options) {
    if (!value) continue;
    if (/^(?:-v|--volume|--mount)$/.test(name)) {
      const mount = sourceOf(value, name === "--mount");
      if (!mount) continue;
      role(mount.isReadOnly ? "reads" : "changes", { ...value, value: mount.source }, true);
      content("configures", { ...value, value: mount.source }, { isData: true });
      if (machineFolder.test(mount.source)) does(opensHost, value);
    } else if (/^--(?:pid|net|network|ipc|uts|userns|cgroupns)$/.test(name) && value.value === "host") does(opensHost, value);
  }
}
export const asks: ProgramSpec = { does: [daemon] };
/** A word that nobody has taught may be a plugin, or run a program of this machine as `podman unshare` does. */
export const unknownWord: ProgramSpec = { does: [daemon, runsAnother] };
export const deletes: ProgramSpec = { does: [daemon, destroysContainers] };

/** Adds the files in `--output type=local,dest=out` and `--secret id=x,src=path`. */
export function namesFiles({ parsed, role }: EffectSink): void {
  for (const [options, key, as] of [
    ["-o --output --cache-to", /(?:^|,)dest=([^,]+)/, "writes"],
    ["--secret --ssh --cache-from", /(?:^|,)src=([^,]+)/, "reads"],
  ] as const) {
    for (const value of findOptionValues(parsed, options)) {
      const file = key.exec(value.value)?.[1] ?? (as === "writes" && !value.value.includes("=") ? value.value : undefined);
      if (file !== undefined) role(as, { ...value, value: file });
    }
  }
}

export const sends: FixedEffect = { kind: "send", target: { where: "not_known" }, irreversible: true };

/** Adds the registry, which is the first part of the image's name: `ghcr.io/a/b`. */
export function pushes({ parsed, role, does }: EffectSink): void {
  const [image] = parsed.operands;
  const registry = /^([^/]+[.:][^/]*)\//.exec(image?.value ?? "")?.[1] ?? "docker.io";
  if (image) role("url_send", { ...image, value: registry });
  else does(sends);
}

export function pulls({ parsed, role }: EffectSink): void {
  const [image] = parsed.operands;
  if (image) role("host", { ...image, value: /^([^/]+[.:][^/]*)\//.exec(image.value)?.[1] ?? "docker.io" });
}

export const inGroup = (more: Record<string, ProgramSpec> = {}): ProgramSpec => ({
  subcommands: {
    ...more,
    "rm remove prune": deletes,
    "attach commit connect create df diff disconnect exists history info inspect kill list logs ls pause port ps rename restart show start stats stop tag top unpause update use wait":
      asks,
  },
  otherwise: unknownWord,
});

/** Builds a manager of virtual machines and clusters on this machine. */
export const machines = (otherwise: ProgramSpec): ProgramSpec => ({
  subcommands: {
    "delete destroy rm purge": { does: [daemon, destroysElsewhere("deletes a virtual machine or a cluster")] },
    "ssh exec shell": { does: [runsContainer], optionsFirst: true },
    "version help": {},
  },
  otherwise: { does: [daemon], ...otherwise },
});
