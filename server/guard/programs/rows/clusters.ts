import {
  connects,
  destroysElsewhere,
  type FixedEffect,
  type OptionMeaning,
  type Program,
  type ProgramSpec,
  program,
  runsAnother,
  sends,
} from "../program";
import { namesChart, readsFiles } from "../special/clusters";
import { copiesOver } from "../special/container-paths";

const remote: FixedEffect = {
  kind: "execute",
  target: { where: "outside" },
  note: "shell.remote_command",
  says: "runs a command in a cluster",
};
const destroysObjects = destroysElsewhere("deletes what a cluster keeps");

const access: Record<string, OptionMeaning> = {
  "--kubeconfig": { role: "reads", does: [runsAnother] },
  "-s --server": "url",
  "--certificate-authority --client-certificate --client-key --token-file": "reads",
  "--cache-dir --log-file": "writes",
  "-n --namespace --context --kube-context --cluster --user --token --as --as-group --request-timeout -v --v -o --output -l --selector -L --label-columns --field-selector --sort-by --template --raw -c --container --since --since-time --tail --timeout --for --field-manager --chunk-size --max-log-requests --type -p --patch --replicas --current-replicas --grace-period --image --port --target-port --name --overrides --from-literal --subresource --revision --to-revision --verb --resource":
    "text",
};
const objects: Record<string, OptionMeaning> = {
  ...access,
  "-f --filename -k --kustomize": "remote_configures",
  "--patch-file --from-env-file": "configures",
  "--from-file": "text",
};

const looks: ProgramSpec = { valued: access, does: [connects] };
const changes: ProgramSpec = { valued: objects, does: [sends], special: readsFiles };
/** A command for the cluster, so that its words are not local paths. */
const runsThere: ProgramSpec = { valued: access, optionsFirst: true, does: [remote] };

const kubectl: ProgramSpec = {
  valued: access,
  subcommands: {
    "get describe top explain diff events wait api-resources api-versions cluster-info auth": { valued: objects, does: [connects] },
    logs: { ...looks, flags: { "-f --follow -p --previous": [] } },
    "exec attach debug run proxy port-forward": runsThere,
    cp: { valued: access, does: [remote], special: copiesOver },
    rollout: { subcommands: { "status history": looks }, otherwise: changes },
    "delete drain": { valued: objects, does: [{ ...sends, irreversible: true }, destroysObjects] },
    config: {
      subcommands: { "view get-contexts current-context get-clusters get-users": { valued: access } },
      otherwise: { valued: access, does: [{ kind: "write", target: { where: "inside", path: ".kube/config" } }] },
    },
    kustomize: { operands: ["remote_read"] },
    "version completion options help": { valued: access },
    "apply create replace patch edit label annotate scale autoscale set expose taint cordon uncordon certificate": changes,
  },
  // An unknown word is a plugin: kubectl runs the program `kubectl-word`.
  otherwise: { does: [connects, runsAnother] },
};

const charts: Record<string, OptionMeaning> = {
  ...access,
  "-f --values": "remote_configures",
  "--set-file": "configures",
  "--repo": "url",
  "-d --destination --output-dir": "writes",
  "--post-renderer --post-renderer-args": runsAnother,
  "--keyring --ca-file --cert-file --key-file --repository-config": "reads",
  "--set --set-string --set-json --version --description --username --password": "text",
};

/** Programs that speak to clusters. */
export const clusterPrograms: readonly Program[] = [
  program("kubectl oc microk8s.kubectl", kubectl),
  program("helm", {
    valued: charts,
    subcommands: {
      "install upgrade rollback push test": { valued: charts, does: [sends], special: namesChart },
      "uninstall delete del un": { valued: charts, does: [{ ...sends, irreversible: true }, destroysObjects] },
      "template lint package dependency dep show inspect": { valued: charts, operands: ["text"], does: [connects] },
      create: { operands: ["writes"] },
      plugin: { subcommands: { "list ls": {} }, otherwise: { does: [connects, runsAnother] } },
      "version env help completion": {},
    },
    otherwise: { valued: charts, does: [connects] },
  }),
  program("k9s stern kubectx kubens flux argocd istioctl velero kubeadm", { does: [connects, sends], valued: { "--kubeconfig": "reads" } }),
];
