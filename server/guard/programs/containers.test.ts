import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

const table = examplesByName({
  "elevate outside": examples`
    docker ps -a ¦ docker version ¦ docker logs -f app ¦ docker cp - web:/app ¦ docker volume ls ¦ docker pull ¦ docker plugin ls
    docker compose up -d ¦ docker compose down ¦ docker compose ps ¦ minikube status ¦ kind create cluster ¦ docker compose up --build web
  `,
  "": examples`docker --version ¦ docker ¦ kubectl config current-context ¦ kubectl version --client ¦ helm plugin list`,
  "elevate outside; !shell.container_run": examples`
    docker exec web ls /app ¦ docker exec -it web sh -c 'cat /etc/passwd' ¦ docker run --mount type=volume,source=a,target=/x alpine
    docker run --mount target=/x alpine ¦ docker run -v ¦ docker container exec web ls /x ¦ docker compose exec web ls /app
    docker-compose run web sh ¦ vagrant ssh -c 'cat /etc/x' ¦ act push ¦ runc run x ¦ docker run --detach img ls
  `,
  "elevate outside; write inside . recursive; !shell.container_run": examples`docker run --rm -v "$PWD:/app" -w /app node:22 npm test`,
  "elevate outside; write outside / recursive; !shell.container_run; !shell.container_escape": examples`docker run -v /:/host alpine cat /host/etc/shadow`,
  "elevate outside; read inside data recursive; !shell.container_run": examples`docker run -v ./data:/data:ro -v cache:/cache -v /only x`,
  "elevate outside; write outside /var/run/docker.sock recursive; !shell.container_run; !shell.container_escape": examples`
    docker run -v /var/run/docker.sock:/var/run/docker.sock x
  `,
  "elevate outside; write outside /etc recursive; !shell.container_run; !shell.container_escape": examples`docker run --mount type=bind,source=/etc,target=/x alpine`,
  "elevate outside; read outside ../x recursive; !shell.container_run": examples`docker run --mount type=bind,src=../x,target=/x,readonly alpine`,
  "elevate outside; !shell.container_escape; !shell.container_run": examples`docker run --privileged alpine`,
  "elevate outside; !shell.container_run; !shell.container_escape": examples`docker run --pid=host --network host alpine`,
  "read inside .env; elevate outside; !shell.container_run": examples`docker run --network web --env-file .env alpine`,
  "elevate outside; write not_known recursive; !shell.container_run": examples`docker run -v "$x:/y" alpine`,
  "elevate outside; write inside . recursive": examples`docker cp web:/app/x .`,
  "elevate outside; read outside ../x recursive": examples`docker cp ../x web:/app ¦ docker build --pull ../x`,
  "elevate outside; delete outside irreversible; !shell.delete_service_data": examples`
    docker rm -f web ¦ docker system prune -af ¦ docker volume rm x ¦ docker image rm x ¦ docker-compose rm ¦ minikube delete
  `,
  "elevate outside; read inside . recursive": examples`docker build -t app . ¦ docker build -o type=docker . ¦ docker buildx build --platform x .`,
  "read outside ../Dockerfile recursive; elevate outside; write inside out; read outside ../k; read inside . recursive": examples`
    docker build --build-arg HTTP_PROXY=http://proxy:1 -f ../Dockerfile --secret id=x,src=../k -o out .
  `,
  "send not_known irreversible; elevate outside; write outside ../out; connect outside github.com": examples`
    docker build -o type=local,dest=../out --push https://github.com/a/b.git
  `,
  "elevate outside; send outside ghcr.io": examples`docker push ghcr.io/a/b:1`,
  "elevate outside; send outside docker.io": examples`docker push a/b`,
  "elevate outside; send not_known irreversible": examples`docker push ¦ docker-compose push`,
  "elevate outside; connect outside docker.io": examples`docker pull alpine ¦ docker login`,
  "elevate outside; connect outside localhost:5000": examples`docker pull localhost:5000/x`,
  "write inside x.tar; elevate outside": examples`docker save -o x.tar img`,
  "elevate outside; read inside x.tar": examples`docker import x.tar`,
  "read outside ../x.tar; elevate outside": examples`docker load -i ../x.tar`,
  "connect outside 10.0.0.1:2375; elevate outside": examples`docker -H tcp://10.0.0.1:2375 ps`,
  "read inside x; execute not_known; elevate outside; !shell.runs_command": examples`docker --config x ps`,
  "elevate outside; !shell.container_escape": examples`docker plugin install x`,
  "read outside ../c.yml; delete outside irreversible; elevate outside; !shell.delete_service_data": examples`docker compose -f ../c.yml down -v`,
  "connect not_known": examples`
    kubectl get pods -o wide ¦ kubectl get --raw /healthz ¦ kubectl logs -f pod/x --tail 10 ¦ kubectl logs -p pod/x
    kubectl rollout status deploy/x ¦ helm list ¦ helm template a ./b ¦ skopeo inspect docker://x
  `,
  "read outside ../x.yml; connect not_known": examples`kubectl get -f ../x.yml`,
  "execute outside; !shell.remote_command": examples`kubectl exec -it pod -- ls /app`,
  "execute outside; write inside . recursive; !shell.remote_command": examples`kubectl cp ns/pod:/app/x .`,
  "read inside x.yml; send not_known": examples`kubectl apply -f x.yml`,
  "connect outside example.com; send not_known": examples`kubectl apply -f https://example.com/x.yml`,
  "send not_known; read outside ../b": examples`kubectl create configmap x --from-file=a=../b`,
  "send not_known irreversible; delete outside irreversible; !shell.delete_service_data": examples`kubectl delete pod x ¦ helm uninstall a`,
  "send not_known": examples`kubectl scale deploy/x --replicas 3 ¦ kubectl rollout restart deploy/x`,
  "write inside .kube/config": examples`kubectl config use-context x`,
  "read outside ../x": examples`kubectl kustomize ../x`,
  "read outside ../x; execute not_known; connect not_known; !shell.runs_command": examples`kubectl --kubeconfig ../x get pods`,
  "connect not_known; execute not_known; !shell.runs_command": examples`kubectl foo ¦ helm plugin install x`,
  "read outside ../v.yml; send not_known": examples`helm install a b -f ../v.yml`,
  "write inside x": examples`helm create x`,
  "execute not_known; send not_known; !shell.runs_command": examples`helm upgrade --post-renderer x a b`,
  "connect not_known; send not_known": examples`k9s`,
  "send not_known irreversible": examples`skopeo copy a b`,
  "delete outside irreversible; !shell.delete_service_data": examples`skopeo delete a`,
  "read outside ../b.hcl recursive; elevate outside": examples`docker buildx bake -f ../b.hcl`,
  "read outside ../x; send not_known": examples`kubectl apply --dry-run -f ../x`,
});

it.each(table)("what programs that start containers, or speak to clusters do: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});
