import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

const table = examplesByName({
  "connect outside amazonaws.com": examples`
    aws s3 ls ¦ aws s3 ls s3://bucket ¦ aws logs tail /aws/lambda/fn --follow ¦ aws ssm get-parameter --name /app/x
    aws --region eu-west-1 ec2 describe-instances ¦ aws s3://b cp
  `,
  "read outside ../a recursive; send outside amazonaws.com; !shell.upload": examples`aws s3 cp ../a s3://b/c`,
  "write inside . recursive; connect outside amazonaws.com": examples`aws s3 cp s3://b/c .`,
  "read inside dist recursive; send outside amazonaws.com; delete outside irreversible; !shell.upload; !shell.delete_service_data": examples`
    aws s3 sync dist s3://b --delete
  `,
  "send outside amazonaws.com": examples`aws s3 cp - s3://b/c`,
  "send outside amazonaws.com; delete outside irreversible; !shell.delete_service_data": examples`
    aws s3 rm s3://b/c ¦ aws ec2 terminate-instances --instance-ids i-1 --query list
  `,
  "read inside in.json; write inside out.json; send outside amazonaws.com; !shell.upload": examples`aws lambda invoke --function-name f --payload file://in.json out.json`,
  "send outside amazonaws.com; execute outside; !shell.remote_command": examples`aws ecs execute-command --cluster x`,
  "connect outside localhost:4566; connect outside amazonaws.com": examples`aws --endpoint-url http://localhost:4566 s3 ls`,
  "": examples`aws --version ¦ aws help ¦ aws ¦ terraform --version ¦ ansible-galaxy collection list`,
  "connect outside googleapis.com": examples`gcloud compute instances list ¦ gsutil du gs://x`,
  "send outside googleapis.com; delete outside irreversible; !shell.delete_service_data": examples`gcloud compute instances delete x`,
  "send outside googleapis.com; execute outside; !shell.remote_command": examples`gcloud compute ssh vm`,
  "send outside googleapis.com": examples`gcloud functions call list`,
  "write outside ../x recursive; connect outside googleapis.com": examples`gsutil cp gs://a/b ../x`,
  "connect outside management.azure.com": examples`az vm show -g a -n b`,
  "send outside management.azure.com; delete outside irreversible; !shell.delete_service_data": examples`az vm delete -g a`,
  "connect outside api.heroku.com": examples`heroku logs --tail`,
  "send outside api.heroku.com; delete outside irreversible; !shell.delete_service_data": examples`heroku pg:reset`,
  "send outside api.heroku.com; execute inside; !shell.written_program": examples`heroku local`,
  "send not_known": examples`vercel ¦ rclone copy a b ¦ terraform workspace new x`,
  "send outside api.vercel.com": examples`vercel deploy --prod`,
  "send outside api.vercel.com; execute inside; !shell.written_program": examples`vercel build`,
  "send outside api.netlify.com; execute inside; !shell.written_program": examples`netlify deploy`,
  "send outside api.cloudflare.com; execute inside; !shell.written_program": examples`wrangler dev`,
  "connect outside api.machines.dev": examples`fly status`,
  "connect outside api.stripe.com": examples`stripe customers list`,
  "send outside firebase.googleapis.com; execute inside; !shell.written_program": examples`firebase deploy`,
  "read outside ../x recursive; send not_known; !shell.upload": examples`s3cmd put ../x s3://b`,
  "write inside x.plan; connect not_known; execute inside; !shell.written_program": examples`terraform plan -out=x.plan`,
  "read names inside infra; send not_known irreversible; execute inside; !shell.written_program": examples`terraform -chdir=infra apply -auto-approve`,
  "delete outside irreversible; send not_known irreversible; execute inside; !shell.delete_service_data; !shell.written_program": examples`terraform apply -destroy`,
  "send not_known irreversible; execute inside; delete outside irreversible; !shell.written_program; !shell.delete_service_data": examples`
    terraform destroy ¦ pulumi destroy
  `,
  "write inside .": examples`terraform fmt`,
  "write outside ../x.tf": examples`terraform fmt ../x.tf`,
  "connect outside registry.terraform.io; execute inside; write inside .; !shell.written_program": examples`terraform init`,
  "execute inside; !shell.written_program": examples`terraform validate ¦ ansible-inventory --list`,
  "connect not_known": examples`terraform state list ¦ terraform workspace list ¦ pulumi stack ls ¦ vault kv get secret/x`,
  "send not_known irreversible; delete outside irreversible; !shell.delete_service_data": examples`terraform state rm x ¦ pulumi stack rm x`,
  "connect not_known; execute not_known; !shell.runs_command": examples`terraform console`,
  "send not_known; execute inside; !shell.written_program": examples`terraform import a b`,
  "read outside ../x.tfvars; connect not_known; execute inside; !shell.written_program": examples`terraform plan -var-file=../x.tfvars`,
  "connect not_known; execute inside; !shell.written_program": examples`pulumi preview`,
  "send not_known irreversible; execute inside; !shell.written_program": examples`pulumi up`,
  "connect not_known; execute outside; execute not_known; !shell.remote_command; !shell.runs_command": examples`ansible all -m ping`,
  "read inside hosts; connect not_known; execute outside; execute not_known; execute inside site.yml; !shell.remote_command; !shell.runs_command; !shell.written_program": examples`
    ansible-playbook -i hosts site.yml
  `,
  "connect outside galaxy.ansible.com; write inside .": examples`ansible-galaxy collection install x`,
  "write inside x": examples`ansible-vault edit x`,
  "read inside x.hcl": examples`packer validate x.hcl`,
  "send not_known irreversible; execute inside; read inside x.hcl; !shell.written_program": examples`packer build x.hcl`,
  "connect not_known; write inside .": examples`packer init .`,
  "send not_known; delete outside irreversible; !shell.delete_service_data": examples`vault delete x`,
});

it.each(table)("what programs that change services of a provider do: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});
