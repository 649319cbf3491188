import { expect, test } from "vitest";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const found = (command: string) => decide(policy, shellCall(command), 0).findings.some(({ detector }) => detector === "workspace.escape");

test.each([
  "docker run -w /app image npm test",
  "docker run --rm -w/app image",
  "docker run --workdir=/app image",
  "docker run --workdir /app image",
  "docker run -itw /app image",
  "podman exec -w /srv/app web ls",
  "docker container run -w /app image",
  "docker run -v ./data:/data image",
  "docker run --volume=./data:/data:ro image",
  "docker run -v data:/data -w /data image",
  "docker run --mount type=bind,src=./data,dst=/data image",
  "docker run --mount=type=volume,source=data,target=/data image",
  "npm run build -- --base=/app/",
  "vite build --base=/",
  "ng build --base-href=/shop/",
  "pnpm run build --public-path=/static/",
])("%s stays in the workspace: the path is one of a container or of a URL", (command) => {
  expect(found(command)).toBe(false);
});

test.each([
  "docker run -v /:/x image",
  "docker run -v/:/x image",
  "docker run -itv /:/x image",
  "docker run -v /etc:/x -w /x image",
  "docker run --volume=/etc:/x image",
  "docker run -v ../..:/x image",
  "docker run -v ~/.ssh:/x image",
  "docker run -w /app -v /home:/app image",
  "docker run --mount type=bind,src=/,dst=/x image",
  "docker run --mount=type=bind,source=/etc,target=/x image",
  "docker run -e -w --mount=type=bind,src=/,dst=/x image",
  "docker run -e -w /etc:/x image",
  "docker run --env-file /etc/secrets image",
  "docker run --env-file=/home/me/env -w /app image",
  "docker build -w /etc",
  "docker cp /etc/passwd web:/x",
  "docker save -o /home/me/x image",
  "docker --config run cp /etc/hosts web:/x",
  "npm run build -- --base=/etc",
  "npm run build -- --base=/app/../etc",
  "npm run build -- --base=/Users/me",
  "npm run build -- --outDir=/app",
  "npm --prefix /app run build",
  "tool --base=/app/",
])("%s leads out of it", (command) => {
  expect(found(command)).toBe(true);
});
