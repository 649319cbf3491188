import { isGiven } from "../given-options";
import {
  connects,
  connectsTo,
  destroysElsewhere,
  loadsCode,
  type Program,
  type ProgramSpec,
  program,
  runsAnother,
  runsFolderCode,
  writesFolder,
} from "../program";
import {
  changesByVerb,
  configs,
  emits,
  outputs,
  publishes,
  reachesGoals,
  resetsData,
  setsVariables,
  targets,
  texts,
  tool,
} from "../special/build";
import { changesFiles } from "../special/changes-files";
import { compilerPrograms } from "./compilers";

const changing = {
  operands: ["text"],
  special: changesFiles("--fix --write --in-place -w -i --apply --autocorrect --auto-correct -a -A"),
} as const;

const dotnetTool: ProgramSpec = {
  ...targets(),
  valued: {
    "-o --output": "writes",
    "-c --configuration -f --framework -r --runtime -v --verbosity -p --property --filter -l --logger": "text",
    "--project": "reads",
  },
};

/** Programs that build, check and test the folder, and so run the folder's code. */
export const buildPrograms: readonly Program[] = [
  program("make gmake bmake", {
    ...targets({ special: setsVariables }),
    configuredBy: "GNUmakefile makefile Makefile",
    folderOption: "-C --directory",
    valued: {
      "-C --directory -W -o --what-if --old-file --assume-new --assume-old": "text",
      "-f --file --makefile": "executes",
      "-I --include-dir": "reads",
      "--eval -E": runsAnother,
    },
    attached: "-j -l -O",
  }),
  program("cmake ctest cpack", {
    ...tool(),
    configuredBy: "CMakeLists.txt CMakePresets.json",
    valued: {
      "-B --build --install --prefix --install-prefix --graphviz --debugger-dap-log --profiling-output": "writes",
      "-S -C --toolchain": "reads",
      "-P": "executes",
      "-E": runsAnother,
      "-G -T -A -D -U -j --parallel -t --target --config --preset -R -L --test-dir --component --log-level --timeout": "text",
    },
  }),
  program("ninja samu", {
    ...targets(),
    configuredBy: "build.ninja",
    folderOption: "-C",
    valued: { "-C -j -k -l -d -t -w": "text", "-f": "executes" },
  }),
  program("meson", { ...targets(), folderOption: "-C", valued: { "-C": "text", "--native-file --cross-file": "reads" } }),
  program("bazel bazelisk buck buck2 pants please", {
    ...targets(),
    valued: { "--workspace_status_command --run_under --bazelrc": runsAnother, "-c --config --jobs --test_filter --test_output": "text" },
  }),
  program("just task mage invoke fab", {
    ...targets(),
    configuredBy: "justfile Justfile .justfile Taskfile.yml Taskfile.yaml magefile.go tasks.py fabfile.py",
    folderOption: "-d --working-directory --dir",
    valued: { "-f --justfile --taskfile": "executes", "-d --working-directory --dir --set --shell": "text", "--chooser": runsAnother },
  }),
  ...compilerPrograms,
  program("tsc tsserver vue-tsc svelte-check", {
    flags: { "--declaration": [] },
    operands: ["reads"],
    special: emits,
    valued: {
      "-p --project -b --build": "reads",
      [outputs]: "writes",
      "--target -t --module -m --lib --jsx --moduleResolution --types --rootDir --baseUrl --locale": "text",
    },
  }),
  program("eslint prettier biome oxlint stylelint standard xo tslint markdownlint markdownlint-cli2 cspell", {
    ...tool({ ...changing, valued: { "--plugin --rulesdir --parser": loadsCode } }),
  }),
  program(
    "jest vitest mocha ava tap jasmine karma playwright cypress nyc c8 wtr",
    tool({ operands: ["text"], valued: { "-r --require --import --loader": "executes" } }),
  ),
  program(
    "pytest py.test tox nox coverage unittest nose2 behave robot",
    tool({ valued: { "-p": loadsCode, "-c": "reads", "-e --session -s": "text" }, flags: { "-s": [] } }),
  ),
  program("ruff", tool({ operands: ["text"], special: changesByVerb, valued: { "-l": "text" } })),
  program("black isort autopep8 yapf autoflake pyupgrade", { ...tool({ operands: ["changes"], valued: { "-l": "text" } }) }),
  program(
    "mypy flake8 pylint pyright bandit vulture pydocstyle pycodestyle",
    tool({ valued: { "--load-plugins --plugins": loadsCode, "-p -m": "text", "--config-file --rcfile": "reads" } }),
  ),
  program("webpack vite rollup esbuild parcel next nuxt astro remix svelte-kit swc babel tsup turbo nx lerna wireit ng gatsby eleventy", {
    ...targets(),
    configuredBy: "package.json",
    valued: { [outputs]: "writes", [configs]: "configures", [texts]: "text", "--cwd --prefix --base --public-path": "text" },
    subcommands: { publish: { does: [runsFolderCode, publishes] }, "telemetry info": {} },
    otherwise: {
      operands: ["text"],
      flags: { "--coverage --cache": [] },
      valued: { [outputs]: "writes", [configs]: "configures", [texts]: "text", "--require": "executes" },
    },
  }),
  program(
    "storybook docusaurus mkdocs sphinx-build hugo jekyll mdbook vitepress husky pre-commit lint-staged lefthook changeset semantic-release commitlint turbo-ignore concurrently nodemon",
    {
      ...tool({ operands: ["text"] }),
      valued: {
        "-d --destination --dest-dir -o": "writes",
        "-c --config -f --config-file": "configures",
        "-x --exec": "script",
        "-r --require": "executes",
      },
    },
  ),
  program("rake", {
    ...targets({ special: resetsData }),
    configuredBy: "Rakefile rakefile",
    valued: { "-e -p -E": "code", "-f --rakefile": "executes", "-r --require -I --libdir": "executes", "-j -t -m": "text" },
  }),
  program("rails", {
    ...targets({ special: resetsData }),
    subcommands: {
      "runner r": { operands: ["code"] },
      "console c dbconsole db": { does: [runsAnother] },
      "new n plugin": { operands: ["writes"], does: [writesFolder, connectsTo("rubygems.org")] },
    },
    otherwise: { operands: ["text"] },
  }),
  program("manage.py django-admin", targets({ special: resetsData, valued: { "--settings --pythonpath --database": "text" } })),
  program(
    "rspec cucumber minitest rubocop standardrb reek brakeman",
    tool({ ...changing, flags: {}, valued: { "-r --require -I": "executes" } }),
  ),
  program("artisan", targets({ special: resetsData })),
  program("phpunit phpstan psalm php-cs-fixer phpcs phpcbf pest", {
    ...tool({ operands: ["text"] }),
    valued: { "--bootstrap": "executes", "-c --configuration": "configures", "--log-junit --coverage-html --coverage-clover": "writes" },
  }),
  program("mix rebar3 iex elixirc", {
    ...targets({ special: resetsData }),
    subcommands: {
      "deps.get deps.update hex.info local.hex": { does: [connectsTo("hex.pm"), connectsTo("repo.hex.pm"), writesFolder] },
      "hex.publish": { does: [publishes] },
    },
    otherwise: { operands: ["text"], valued: { "-e --eval": "code", "-r": "executes" } },
  }),
  program("mvn mvnw gradle gradlew ant sbt lein clojure bb", {
    ...targets({ special: reachesGoals }),
    configuredBy:
      "pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties build.xml build.sbt project.clj",
    valued: {
      "-f --file -b --build-file -s --settings --settings-file -I --init-script -buildfile": "executes",
      "-D -P -pl -x -t -T -l -gs --projects --exclude-task --tests": "text",
      "-p --project-dir": "lists",
    },
    flags: { "-ff -fn -fae -ntp -nsu -am -amd": [] },
  }),
  program("dotnet msbuild", {
    subcommands: {
      "": {},
      "restore add tool workload new": { does: [connectsTo("api.nuget.org"), runsFolderCode, writesFolder] },
      nuget: {
        subcommands: {
          push: { does: [{ ...publishes, target: { where: "outside", host: "api.nuget.org" } }] },
          delete: { does: [destroysElsewhere("takes back what others install")] },
        },
        otherwise: { does: [connects] },
      },
      "list sln help": {},
      "fsi script": { does: [runsAnother], operands: ["executes"] },
      exec: { operands: ["executes"] },
    },
    otherwise: dotnetTool,
  }),
  program("swift xcodebuild xcrun flutter dart", {
    ...targets(),
    valued: { "-o --output -derivedDataPath --build-path": "writes", "--package-path": "lists" },
    subcommands: { pub: { does: [connectsTo("pub.dev"), writesFolder] }, package: { does: [connects, writesFolder] } },
    otherwise: { operands: ["text"] },
  }),
  program("golangci-lint staticcheck gosec", { ...targets(), valued: { "-c --config": "reads", "--out-format": "text" } }),
  program("cppcheck shellcheck hadolint yamllint actionlint checkov tflint vale proselint", {
    operands: ["reads"],
    valued: {
      "-f --format -s --shell -e --exclude -S --severity -o --enable -d --std --suppress --language -P --source-path -j": "text",
      "-c --config --rcfile --config-file --addon --rule-file": "configures",
      "--output-file": "writes",
    },
    flags: { "-o -d": [] },
  }),
  program("protoc buf", {
    operands: ["reads"],
    does: [runsFolderCode],
    valued: {
      "-I --proto_path": "reads",
      "-o --descriptor_set_out --go_out --python_out --js_out --ts_out --grpc_out --cpp_out --java_out": "writes",
      "--plugin": runsAnother,
    },
  }),
  program("prisma drizzle-kit sequelize knex typeorm alembic flyway liquibase dbmate goose", {
    ...targets(),
    configuredBy: "prisma/schema.prisma prisma/migrations/ drizzle.config.ts drizzle/ knexfile.js alembic.ini migrations/ db/migrations/",
    subcommands: { "generate format validate init studio check current history": { does: [runsFolderCode] } },
    otherwise: {
      does: [connects],
      special: ({ parsed, command, does }) => {
        const words = command.words.slice(1).map(({ value }) => value);
        if (words.some((word) => /^(?:reset|drop|clean|dropall|drop-all|down|db:drop|schema:drop|downgrade)$/.test(word)))
          does(destroysElsewhere("drops what a database keeps"));
        if (isGiven(parsed, "--force-reset --accept-data-loss")) does(destroysElsewhere("drops what a database keeps"));
      },
    },
  }),
];
