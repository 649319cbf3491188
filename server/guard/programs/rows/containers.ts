import {
  configuredByFile,
  connects,
  destroysElsewhere,
  type OperandRole,
  type Program,
  type ProgramSpec,
  program,
  runsAnother,
} from "../program";
import { copiesOver } from "../special/container-paths";
import {
  asks,
  daemon,
  deletes,
  destroysContainers,
  inGroup,
  machines,
  mounts,
  namesFiles,
  opensHost,
  pulls,
  pushes,
  runsContainer,
  sends,
  unknownWord,
} from "../special/containers";
import { clusterPrograms } from "./clusters";

const runValued = {
  "-v --volume --mount --pid --net --network --ipc --uts --userns --cgroupns": "text",
  "--env-file --label-file": "configures",
  "--cidfile --pidfile": "writes",
  "--cap-add --device --security-opt --device-cgroup-rule --volumes-from --runtime": opensHost,
  "-e --env -p --publish --expose -w --workdir -u --user --name -h --hostname -l --label --entrypoint -m --memory --cpus -c --cpu-shares --restart --platform --pull --add-host --dns --ulimit --shm-size --tmpfs --gpus --log-driver --log-opt --network-alias --health-cmd --health-interval --health-retries --health-timeout --health-start-period --cpu-period --cpu-quota --cpuset-mems --pids-limit --expose --stop-signal --stop-timeout --memory-swap --cpuset-cpus --cap-drop --link --ip --mac-address --annotation --detach-keys --group-add --sysctl --storage-opt --scale --index":
    "text",
} as const;

/** Runs a command in a container. Words behind the image or the container are paths of the container, not of this machine. */
const runs: ProgramSpec = {
  optionsFirst: true,
  valued: runValued,
  flags: { "--privileged": [opensHost], "--detach --build": [] },
  does: [runsContainer],
  special: mounts,
};

const copies: ProgramSpec = { does: [daemon], special: copiesOver };
const builds: ProgramSpec = {
  operands: ["remote_configures"],
  recursive: true,
  does: [daemon],
  configuredBy: "Dockerfile Containerfile .dockerignore",
  special: namesFiles,
  valued: {
    "-f --file": "configures",
    "--iidfile --metadata-file": "writes",
    "-o --output --cache-to --secret --ssh --cache-from": "text",
    "--allow --security-opt": opensHost,
    "-t --tag --build-arg --build-context --target --platform --label --network --progress --add-host --shm-size --ulimit --builder --annotation --attest -m --memory --isolation":
      "text",
  },
  flags: { "--push": [sends] },
};

const composeValued: Record<string, OperandRole> = {
  "-f --file --env-file": "configures",
  "--project-directory": "lists",
  "-p --project-name --profile --ansi --parallel --progress": "text",
};
const composeDeletes: ProgramSpec = {
  does: [daemon],
  valued: { "-t --timeout": "text" },
  flags: { "-v --volumes --rmi": [destroysContainers] },
};
const composeFiles =
  "compose.yaml compose.yml docker-compose.yaml docker-compose.yml compose.override.yaml compose.override.yml docker-compose.override.yaml docker-compose.override.yml .env";
const compose: ProgramSpec = {
  valued: composeValued,
  folderOption: "--project-directory",
  harmlessGlobals: "--dry-run --compatibility --all-resources -v --version -h --help",
  subcommands: {
    run: { ...runs, configuredBy: composeFiles },
    exec: runs,
    down: composeDeletes,
    rm: deletes,
    cp: copies,
    "build create up watch start restart": {
      does: [daemon],
      configuredBy: composeFiles,
      flags: { "--build": [] },
      valued: { "--build-arg -t --timeout --scale --ssh --progress": "text" },
    },
    push: { does: [daemon, sends], configuredBy: composeFiles },
    "config convert events images kill logs ls pause port ps stats stop top unpause volumes wait": asks,
    pull: { does: [daemon], configuredBy: composeFiles },
    "version help": {},
  },
  otherwise: unknownWord,
};
const pushing: ProgramSpec = { does: [daemon], special: pushes };
const pulling: ProgramSpec = { does: [daemon], special: pulls, valued: { "--platform": "text" } };
const saves: ProgramSpec = { does: [daemon], valued: { "-o --output": "writes", "--platform": "text" } };
const loads: ProgramSpec = { does: [daemon], valued: { "-i --input": "reads" } };

const docker: ProgramSpec = {
  valued: {
    "-H --host --url": "url",
    "--config": { role: "reads", does: [runsAnother] },
    "--tlscacert --tlscert --tlskey --identity": "reads",
    // A context is another daemon, perhaps on another machine.
    "-c --context --connection": connects,
    "-l --log-level": "text",
  },
  harmlessGlobals: "-D --debug --tls --tlsverify -v --version -h --help",
  subcommands: {
    "run create": runs,
    exec: runs,
    "rm rmi": deletes,
    build: builds,
    push: pushing,
    pull: pulling,
    cp: copies,
    "save export": saves,
    load: loads,
    import: { does: [daemon], operands: ["remote_read", "text"], valued: { "-c --change -m --message": "text" } },
    "attach commit diff events history images info inspect kill logs pause port ps rename restart start stats stop tag top unpause update version wait":
      asks,
    "login logout search": { does: [daemon, { kind: "connect", target: { where: "outside", host: "docker.io" } }] },
    compose,
    container: inGroup({ "run create exec": runs, cp: copies, export: saves }),
    image: inGroup({ build: builds, push: pushing, pull: pulling, save: saves, load: loads }),
    "stack service": inGroup({ "deploy up create update": { does: [daemon, opensHost], valued: { "-c --compose-file": "configures" } } }),
    "kube play generate": { does: [daemon, opensHost], operands: ["configures"] },
    "secret config": inGroup({ create: { does: [daemon], operands: ["text", "configures"] } }),
    "volume network system context node swarm machine pod manifest trust": inGroup(),
    "builder buildx": inGroup({
      "build b": builds,
      bake: { ...builds, operands: ["text"], configuredBy: `docker-bake.hcl docker-bake.json ${composeFiles}` },
    }),
    plugin: { subcommands: { "install enable set upgrade": { does: [daemon, opensHost] }, "ls list inspect": asks }, otherwise: deletes },
    help: {},
  },
  otherwise: unknownWord,
};

/** Programs that start containers and virtual machines, or talk to clusters of them. */
export const containerPrograms: readonly Program[] = [
  program("docker podman nerdctl", docker),
  program("docker-compose podman-compose", compose),
  program("ctr crictl runc crun lxc buildah", { does: [runsContainer] }),
  program("skopeo crane oras", {
    subcommands: { delete: { does: [destroysElsewhere("deletes images")] }, "copy sync push cp": { does: [sends] } },
    otherwise: { does: [connects] },
  }),
  program("act", { does: [runsContainer], configuredBy: ".github/workflows/ .actrc" }),
  program("minikube kind k3d colima multipass", machines({ valued: { "--config --cloud-init": "configures" } })),
  // A Vagrantfile is a program of this machine, and the file of a Lima machine opens folders of it.
  program("vagrant limactl", machines({ does: [daemon, configuredByFile] })),
  ...clusterPrograms,
];
