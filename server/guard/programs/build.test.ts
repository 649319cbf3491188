import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

const table = examplesByName({
  "execute inside; !shell.written_program": examples`
    make ¦ make -j4 test ¦ make VERSION=1.2 CFLAGS='-O2 -g' ¦ make --jobs=4 -- test ¦ bazel build //... ¦ buck2 build //app:main
    just build ¦ jest -t /login ¦ vitest run --coverage ¦ playwright test --grep /login ¦ tox -e py ¦ vite build --base=/app/ ¦ next build
    nx run app:build ¦ pre-commit run --all-files ¦ rake db:migrate ¦ rails db:migrate ¦ rubocop -a ¦ ./gradlew build ¦ mix test
    mvn -q test ¦ dotnet app.dll ¦ swift build ¦ golangci-lint run ./... ¦ prisma generate ¦ ruff ¦ vitest run --coverage
    jest --coverage a ¦ mvn -DskipTests=x -fae test
  `,
  "execute inside Makefile.dev; execute inside; !shell.written_program": examples`make -f Makefile.dev all`,
  "execute outside ../Makefile; execute inside; !shell.written_program": examples`make -f ../Makefile`,
  "read names inside sub; execute inside; !shell.written_program": examples`make -C sub test`,
  "execute inside; execute not_known; !shell.written_program; !shell.runs_command": examples`make SHELL=/tmp/x ¦ make 'V=$(shell id)'`,
  "execute not_known; execute inside; !shell.runs_command; !shell.written_program": examples`make --eval x ¦ bazel run --run_under=x //a:b`,
  "write inside build; read inside .; execute inside; !shell.written_program": examples`cmake -B build -S .`,
  "write inside build; execute inside; !shell.written_program": examples`cmake --build build`,
  "execute inside x.cmake; execute inside; !shell.written_program": examples`cmake -P x.cmake`,
  "execute not_known; execute inside; read inside x; !shell.runs_command; !shell.written_program": examples`cmake -E rm x`,
  "read names inside build; execute inside; !shell.written_program": examples`ninja -C build`,
  "write inside app; read inside main.c": examples`gcc -Wall -O2 -o app main.c -lm`,
  "write inside .; write inside app; read inside main.c": examples`gcc -oapp -static -no-pie -fPIC main.c`,
  "write inside .; execute not_known; read inside a.c; !shell.loads_code": examples`gcc -fplugin=x.so a.c ¦ gcc -Wl,-plugin,x a.c`,
  "read inside include; write inside .; read inside a.c": examples`gcc -Wl,-rpath,x a.c -I include`,
  "write inside lib.a; write inside a.o": examples`ar rcs lib.a a.o`,
  "write inside x; execute inside; write inside .; read inside a.rs; !shell.written_program": examples`rustc -o x a.rs`,
  "write outside ../x.go recursive": examples`gofmt -w ../x.go`,
  "read inside x.go recursive": examples`gofmt -d x.go`,
  "write inside out; write inside .; read inside A.java": examples`javac -d out A.java`,
  "execute not_known; write inside .; read inside A.java; !shell.loads_code": examples`javac -processor X A.java`,
  "read inside tsconfig.json": examples`tsc --noEmit -p tsconfig.json`,
  "write outside ../x; write inside .": examples`tsc --outDir ../x`,
  "execute inside; write inside src recursive; !shell.written_program": examples`eslint --fix src`,
  "write inside out.json; execute inside; read inside . recursive; !shell.written_program": examples`eslint -f json -o out.json .`,
  "execute not_known; execute inside; read inside . recursive; !shell.loads_code; !shell.written_program": examples`eslint --rulesdir x .`,
  "execute inside; write inside . recursive; !shell.written_program": examples`prettier --write . ¦ ruff check --fix .`,
  "execute inside; read outside ../x recursive; !shell.written_program": examples`prettier --check ../x ¦ eslint --cache ../x`,
  "read inside jest.config.js; execute inside; !shell.written_program": examples`jest --config jest.config.js src/a`,
  "execute inside; read inside tests/test_a.py::test_x; !shell.written_program": examples`pytest -q -k 'a or b' tests/test_a.py::test_x`,
  "execute not_known; execute inside; !shell.loads_code; !shell.written_program": examples`pytest -p plug`,
  "write outside ../x.xml; execute inside; !shell.written_program": examples`pytest -s --junitxml=../x.xml`,
  "execute inside; write outside ../x; !shell.written_program": examples`black ../x`,
  "execute inside; read inside src; !shell.written_program": examples`mypy src`,
  "read inside webpack.config.js; write inside dist; execute inside; !shell.written_program": examples`webpack --config webpack.config.js -o dist`,
  "execute inside; send not_known irreversible; !shell.written_program": examples`lerna publish ¦ ./gradlew publish ¦ mvn deploy`,
  "execute inside; write outside ../x.js; !shell.written_program": examples`esbuild a.ts --outfile=../x.js`,
  "read outside ../x; execute inside; !shell.written_program": examples`nodemon -x 'cat ../x'`,
  "execute not_known; execute inside; !shell.inline_program; !shell.written_program": examples`rake -e 'puts 1'`,
  "execute inside; execute not_known; !shell.written_program; !shell.inline_program": examples`rails runner 'x'`,
  "execute inside; write inside .; connect outside rubygems.org; write inside app; !shell.written_program": examples`rails new app`,
  "execute inside; read inside spec/a_spec.rb recursive; !shell.written_program": examples`rspec spec/a_spec.rb`,
  "execute inside x.php; execute inside; !shell.written_program": examples`phpunit --bootstrap x.php`,
  "execute inside; delete outside irreversible; !shell.written_program; !shell.delete_service_data": examples`
    rails db:drop ¦ bin/rails db:reset ¦ rake db:drop:all ¦ ./manage.py reset_db ¦ mix ecto.drop
  `,
  "execute inside manage.py; execute inside; delete outside irreversible; !shell.written_program; !shell.delete_service_data": examples`python manage.py flush --no-input`,
  "execute inside manage.py; execute inside; !shell.written_program": examples`python manage.py migrate`,
  "execute inside artisan; execute inside; delete outside irreversible; !shell.written_program; !shell.delete_service_data": examples`php artisan migrate:fresh`,
  "execute inside; connect outside hex.pm; connect outside repo.hex.pm; write inside .; !shell.written_program": examples`mix deps.get`,
  "execute inside; send not_known irreversible; connect outside repo.maven.apache.org; !shell.written_program": examples`gradle publish --refresh-dependencies`,
  "execute inside; connect outside repo.maven.apache.org; !shell.written_program": examples`mvn dependency:tree`,
  "execute outside ../x.gradle; execute inside; !shell.written_program": examples`gradle -I ../x.gradle build`,
  "write inside out; execute inside; !shell.written_program": examples`dotnet build -o out`,
  "connect outside api.nuget.org; execute inside; write inside .; !shell.written_program": examples`dotnet restore`,
  "send outside api.nuget.org irreversible": examples`dotnet nuget push a`,
  "delete outside irreversible; !shell.delete_service_data": examples`dotnet nuget delete a`,
  "connect not_known": examples`dotnet nuget list source`,
  "execute not_known; execute inside x.fsx; !shell.runs_command; !shell.written_program": examples`dotnet fsi x.fsx`,
  "": examples`dotnet --version ¦ dotnet`,
  "execute inside; connect outside pub.dev; write inside .; !shell.written_program": examples`flutter pub get`,
  "write outside ../x; execute inside; !shell.written_program": examples`xcodebuild -derivedDataPath ../x`,
  "write inside a.sh recursive": examples`shfmt -i 2 -w a.sh`,
  "write inside a.c recursive": examples`clang-format -i a.c`,
  "read inside a.sh": examples`shellcheck -s bash a.sh`,
  "read inside Dockerfile": examples`hadolint Dockerfile`,
  "write inside out; execute inside; read inside a.proto; !shell.written_program": examples`protoc --go_out=out a.proto`,
  "execute not_known; execute inside; read inside a.proto; !shell.runs_command; !shell.written_program": examples`protoc --plugin=x a.proto`,
  "execute inside; connect not_known; !shell.written_program": examples`prisma migrate deploy ¦ alembic upgrade head`,
  "execute inside; connect not_known; delete outside irreversible; !shell.written_program; !shell.delete_service_data": examples`
    prisma migrate reset ¦ prisma db push --force-reset
  `,
  "execute inside; write inside .; !shell.written_program": examples`npx tsc`,
  "write inside a.go recursive": examples`gofmt -w a.go`,
  "execute inside; write outside ../a.py recursive; !shell.written_program": examples`ruff format ../a.py`,
  "execute inside; read outside ../a.py recursive; !shell.written_program": examples`ruff format --check ../a.py`,
  "execute inside; write outside ../x recursive; !shell.written_program": examples`eslint --fix ../x`,
  "read inside a.c": examples`gcc -E a.c`,
  "write inside a.rs": examples`rustfmt a.rs`,
  "execute not_known; read not_known recursive; !shell.not_followed": examples`gofmt $x`,
  "write inside .; read outside ../a.ts": examples`tsc --declaration ../a.ts`,
});

it.each(table)("what programs that build, check and test do: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});
