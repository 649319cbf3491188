import { describe, expect, it } from "vitest";
import { effectLines } from "@/server/testing/effect-lines";
import { listOf } from "@/server/testing/list-of";

const table: readonly [command: string, effects: string][] = [
  ...listOf(`
    docker ps -a ¦ docker version ¦ docker logs -f app ¦ docker cp - web:/app ¦ docker volume ls ¦ docker pull ¦ docker plugin ls
    docker compose up -d ¦ docker compose down ¦ docker compose ps ¦ minikube status ¦ kind create cluster ¦ docker compose up --build web
  `).map((given) => [given, "elevate outside"] as const),
  ...listOf(`
    docker exec web ls /app ¦ docker exec -it web sh -c 'cat /etc/passwd' ¦ docker run --mount type=volume,source=a,target=/x alpine
    docker run --mount target=/x alpine ¦ docker run -v ¦ docker container exec web ls /x ¦ docker compose exec web ls /app
    docker-compose run web sh ¦ vagrant ssh -c 'cat /etc/x' ¦ act push ¦ runc run x ¦ docker run --detach img ls
  `).map((given) => [given, "elevate outside; !shell.container_run"] as const),
  ...listOf(`
    docker rm -f web ¦ docker system prune -af ¦ docker volume rm x ¦ docker image rm x ¦ docker-compose rm ¦ minikube delete
  `).map((given) => [given, "elevate outside; delete outside irreversible; !shell.delete_service_data"] as const),
  ...listOf(`
    kubectl get pods -o wide ¦ kubectl get --raw /healthz ¦ kubectl logs -f pod/x --tail 10 ¦ kubectl logs -p pod/x
    kubectl rollout status deploy/x ¦ helm list ¦ helm template a ./b ¦ skopeo inspect docker://x
  `).map((given) => [given, "connect not_known"] as const),
  ["docker --version", ""],
  ['docker run --rm -v "$PWD:/app" -w /app node:22 npm test', "elevate outside; write inside . recursive; !shell.container_run"],
  [
    "docker run -v /:/host alpine cat /host/etc/shadow",
    "elevate outside; write outside / recursive; !shell.container_run; !shell.container_escape",
  ],
  ["docker run -v ./data:/data:ro -v cache:/cache -v /only x", "elevate outside; read inside data recursive; !shell.container_run"],
  [
    "docker run -v /var/run/docker.sock:/var/run/docker.sock x",
    "elevate outside; write outside /var/run/docker.sock recursive; !shell.container_run; !shell.container_escape",
  ],
  [
    "docker run --mount type=bind,source=/etc,target=/x alpine",
    "elevate outside; write outside /etc recursive; !shell.container_run; !shell.container_escape",
  ],
  ["docker run --mount type=bind,src=../x,target=/x,readonly alpine", "elevate outside; read outside ../x recursive; !shell.container_run"],
  ["docker run --privileged alpine", "elevate outside; !shell.container_escape; !shell.container_run"],
  ["docker run --pid=host --network host alpine", "elevate outside; !shell.container_run; !shell.container_escape"],
  ["docker run --network web --env-file .env alpine", "read inside .env; elevate outside; !shell.container_run"],
  ['docker run -v "$x:/y" alpine', "elevate outside; write not_known recursive; !shell.container_run"],
  ["docker cp web:/app/x .", "elevate outside; write inside . recursive"],
  ["docker cp ../x web:/app", "elevate outside; read outside ../x recursive"],
  ["docker build -t app .", "elevate outside; read inside . recursive"],
  [
    "docker build --build-arg HTTP_PROXY=http://proxy:1 -f ../Dockerfile --secret id=x,src=../k -o out .",
    "read outside ../Dockerfile recursive; elevate outside; write inside out; read outside ../k; read inside . recursive",
  ],
  [
    "docker build -o type=local,dest=../out --push https://github.com/a/b.git",
    "send not_known irreversible; elevate outside; write outside ../out; connect outside github.com",
  ],
  ["docker build -o type=docker .", "elevate outside; read inside . recursive"],
  ["docker buildx build --platform x .", "elevate outside; read inside . recursive"],
  ["docker push ghcr.io/a/b:1", "elevate outside; send outside ghcr.io"],
  ["docker push a/b", "elevate outside; send outside docker.io"],
  ["docker push", "elevate outside; send not_known irreversible"],
  ["docker pull alpine", "elevate outside; connect outside docker.io"],
  ["docker pull localhost:5000/x", "elevate outside; connect outside localhost:5000"],
  ["docker save -o x.tar img", "write inside x.tar; elevate outside"],
  ["docker import x.tar", "elevate outside; read inside x.tar"],
  ["docker load -i ../x.tar", "read outside ../x.tar; elevate outside"],
  ["docker login", "elevate outside; connect outside docker.io"],
  ["docker -H tcp://10.0.0.1:2375 ps", "connect outside 10.0.0.1:2375; elevate outside"],
  ["docker --config x ps", "read inside x; execute not_known; elevate outside; !shell.runs_command"],
  ["docker plugin install x", "elevate outside; !shell.container_escape"],
  ["docker compose -f ../c.yml down -v", "read outside ../c.yml; delete outside irreversible; elevate outside; !shell.delete_service_data"],
  ["docker-compose push", "elevate outside; send not_known irreversible"],
  ["docker", ""],
  ["kubectl get -f ../x.yml", "read outside ../x.yml; connect not_known"],
  ["kubectl exec -it pod -- ls /app", "execute outside; !shell.remote_command"],
  ["kubectl cp ns/pod:/app/x .", "execute outside; write inside . recursive; !shell.remote_command"],
  ["kubectl apply -f x.yml", "read inside x.yml; send not_known"],
  ["kubectl apply -f https://example.com/x.yml", "connect outside example.com; send not_known"],
  ["kubectl create configmap x --from-file=a=../b", "send not_known; read outside ../b"],
  ["kubectl delete pod x", "send not_known irreversible; delete outside irreversible; !shell.delete_service_data"],
  ["kubectl scale deploy/x --replicas 3", "send not_known"],
  ["kubectl rollout restart deploy/x", "send not_known"],
  ["kubectl config current-context", ""],
  ["kubectl config use-context x", "write inside .kube/config"],
  ["kubectl version --client", ""],
  ["kubectl kustomize ../x", "read outside ../x"],
  ["kubectl --kubeconfig ../x get pods", "read outside ../x; execute not_known; connect not_known; !shell.runs_command"],
  ["kubectl foo", "connect not_known; execute not_known; !shell.runs_command"],
  ["helm install a b -f ../v.yml", "read outside ../v.yml; send not_known"],
  ["helm uninstall a", "send not_known irreversible; delete outside irreversible; !shell.delete_service_data"],
  ["helm create x", "write inside x"],
  ["helm plugin list", ""],
  ["helm plugin install x", "connect not_known; execute not_known; !shell.runs_command"],
  ["helm upgrade --post-renderer x a b", "execute not_known; send not_known; !shell.runs_command"],
  ["k9s", "connect not_known; send not_known"],
  ["skopeo copy a b", "send not_known irreversible"],
  ["skopeo delete a", "delete outside irreversible; !shell.delete_service_data"],
  ["docker buildx bake -f ../b.hcl", "read outside ../b.hcl recursive; elevate outside"],
  ["docker build --pull ../x", "elevate outside; read outside ../x recursive"],
  ["kubectl apply --dry-run -f ../x", "read outside ../x; send not_known"],
];

describe("what programs that start containers, or speak to clusters, do", () => {
  it.each(table)("`%s` does: %s", (command, effects) => {
    expect(effectLines(command)).toBe(effects);
  });
});
