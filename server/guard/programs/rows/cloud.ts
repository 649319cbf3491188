import {
  connects,
  connectsTo,
  type FixedEffect,
  type Program,
  type ProgramSpec,
  program,
  remoteCommand,
  runsAnother,
  runsFolderCode,
  sends,
  writesFolder,
} from "../program";
import { cloud, destroysResources, plan } from "../special/cloud";

const applies: FixedEffect = { ...sends, irreversible: true };
const registry = connectsTo("registry.terraform.io");

const playbooks: ProgramSpec = {
  configuredBy: "ansible.cfg roles/ group_vars/ host_vars/ library/ action_plugins/ filter_plugins/",
  operands: ["executes"],
  does: [connects, remoteCommand, runsAnother],
  valued: {
    "-i --inventory --vault-password-file --private-key --key-file": "configures",
    "-m --module-name -a --args -e --extra-vars -l --limit -t --tags --skip-tags -u --user -f --forks -c --connection -T --timeout --start-at-task --become-user --become-method -M --module-path":
      "text",
  },
};

/** Files in which programs of services say what they deploy. */
const servicesFiles =
  "railway.json railway.toml render.yaml serverless.yml serverless.yaml serverless.ts sst.config.ts cdk.json template.yaml template.yml samconfig.toml amplify.yml";

/** Programs that change resources at a cloud provider. */
export const cloudPrograms: readonly Program[] = [
  program("aws", cloud("amazonaws.com")),
  program("gcloud bq gsutil", cloud("googleapis.com")),
  program("az azcopy func", cloud("management.azure.com")),
  program("s3cmd s5cmd mc rclone", cloud(null)),
  program("doctl", cloud("api.digitalocean.com")),
  program("heroku", cloud("api.heroku.com", { runsFolder: /^local/ })),
  program("vercel now", {
    ...cloud("api.vercel.com", { runsFolder: /^(?:build|dev)$/, configuredBy: "vercel.json package.json" }),
    without: [sends],
  }),
  program("netlify ntl", cloud("api.netlify.com", { runsFolder: /^(?:build|dev|deploy)$/, configuredBy: "netlify.toml package.json" })),
  program("fly flyctl", cloud("api.machines.dev", { configuredBy: "fly.toml Dockerfile" })),
  program(
    "wrangler",
    cloud("api.cloudflare.com", {
      runsFolder: /^(?:dev|deploy|publish|pages)$/,
      configuredBy: "wrangler.toml wrangler.json wrangler.jsonc",
    }),
  ),
  program("supabase", cloud("api.supabase.com")),
  program(
    "firebase",
    cloud("firebase.googleapis.com", { runsFolder: /^(?:deploy|serve|emulators:.*)$/, configuredBy: "firebase.json .firebaserc" }),
  ),
  program("stripe", cloud("api.stripe.com")),
  program("circleci", cloud("circleci.com")),
  program(
    "railway render scw linode-cli hcloud ibmcloud oci eb serverless sls sst cdk sam amplify vault consul nomad",
    cloud(null, { configuredBy: servicesFiles }),
  ),
  program("terraform tofu terragrunt", {
    ...plan([]),
    subcommands: {
      fmt: { operands: ["changes"], without: ["changes"], wordOptions: true, flags: { "-recursive -check -diff": [] } },
      "version help validate output graph show providers": plan([runsFolderCode]),
      "init get": plan([registry, runsFolderCode, writesFolder]),
      "plan refresh": plan([connects, runsFolderCode]),
      apply: plan([applies, runsFolderCode], { flags: { "-destroy --destroy": [destroysResources] } }),
      destroy: plan([applies, runsFolderCode, destroysResources]),
      state: { subcommands: { "list show pull": plan([connects]) }, otherwise: plan([applies, destroysResources]) },
      workspace: { subcommands: { "list show select": plan([connects]) }, otherwise: plan([sends]) },
      console: { does: [connects, runsAnother] },
    },
    otherwise: plan([sends, runsFolderCode]),
  }),
  program("pulumi", {
    configuredBy: "Pulumi.yaml Pulumi.*.yaml",
    subcommands: {
      "version whoami about stack:ls logs config help": { does: [connects] },
      preview: { does: [connects, runsFolderCode] },
      destroy: { does: [applies, runsFolderCode, destroysResources] },
      stack: {
        subcommands: { "ls output history": { does: [connects] }, rm: { does: [applies, destroysResources] } },
        otherwise: { does: [sends] },
      },
    },
    otherwise: { does: [applies, runsFolderCode] },
  }),
  program("ansible ansible-console ansible-pull ansible-test", { ...playbooks, operands: ["text"] }),
  program("ansible-playbook", playbooks),
  program("ansible-galaxy", {
    subcommands: {
      collection: { subcommands: { "list verify": {} }, otherwise: { does: [connectsTo("galaxy.ansible.com"), writesFolder] } },
    },
    otherwise: { does: [connectsTo("galaxy.ansible.com"), writesFolder] },
  }),
  program("ansible-vault", { operands: ["text", "changes"], valued: { "--vault-password-file": "reads", "--output": "writes" } }),
  program("ansible-inventory ansible-doc ansible-config ansible-lint", {
    valued: { "-i --inventory": "executes" },
    does: [runsFolderCode],
  }),
  program("packer", {
    subcommands: { "validate inspect version fmt": { operands: ["reads"] }, init: { does: [connects, writesFolder] } },
    otherwise: { operands: ["configures"], does: [applies, runsFolderCode] },
  }),
];
