#!/usr/bin/env bash
# Uses the artifacts as another project does: installs them into an empty repository, builds a program against them with
# Maven, and with Gradle where there is one, and runs it without any option of java, on the class path and on the module
# path, and with other versions of LWJGL. Needs Maven, a network (or --offline) and some minutes; fails with the first
# thing that is not as it should be.
#
# Usage: src/dev/consumer.sh [--offline] [--device DEVICE]
#
#        --offline          take libraries of others from the local Maven repository alone
#        --device DEVICE    default auto; PoCL needs libjsig, and is refused here with the sentence that says so
set -euo pipefail

offline=()
device=auto
while [ $# -gt 0 ]; do
    case $1 in
        --offline) offline=(-o) ;;
        --device) device=$2 && shift ;;
        *) sed -n 's/^# \{0,1\}//; 2,/^set/{/^set/!p}' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    esac
    shift
done
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset LD_PRELOAD JAVA_TOOL_OPTIONS
local_repository=${HOME}/.m2/repository

fail() {
    echo "consumer: $1" >&2
    exit 1
}

echo "consumer: installing into an empty repository"
cd "$root"
version=$(sed -n 's/^  <version>\(.*\)<\/version>/\1/p' pom.xml | head -n 1)
[ -f target/clinfer.jar ] && [ -f target/clinfer-cli.jar ] || fail "no jars in target: run mvn package -DskipTests first"
# libraries of others come from what is here already; Clinfer from what was just built
mkdir -p "$folder/repository"
cp -al "$local_repository/." "$folder/repository/" 2>/dev/null || cp -a "$local_repository/." "$folder/repository/"
rm -rf "$folder/repository/org/clinfer"
maven() {
    mvn -B -q ${offline[@]+"${offline[@]}"} "-Dmaven.repo.local=$folder/repository" "$@"
}
maven org.apache.maven.plugins:maven-install-plugin:3.1.4:install-file -Dfile=target/clinfer.jar -DpomFile=pom.xml

mkdir -p "$folder/app/src/main/java/app" "$folder/app/src/main/resources"
cd "$folder/app"
cp "$root/src/main/resources/org/clinfer/demo/shapes.onnx" .
cat >pom.xml <<EOF
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.clinfer</groupId>
      <artifactId>clinfer</artifactId>
      <version>$version</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.16.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.5.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.6.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-jar-plugin</artifactId>
        <version>3.5.1</version>
      </plugin>
    </plugins>
  </build>
</project>
EOF
cat >src/main/java/module-info.java <<EOF
module app {
    requires org.clinfer;
}
EOF
cat >src/main/java/app/App.java <<EOF
package app;

import java.nio.file.Path;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;

public final class App {
    public static void main(String[] arguments) {
        EngineOptions options = EngineOptions.defaults().withDevice(DeviceChoice.parse(arguments[1]));
        try (Engine engine = Engine.open(options);
                Model model = engine.load(Path.of(arguments[0]));
                Session session = model.session();
                Tensor input = Tensor.allocate(model.inputs().get(0).type());
                Result result = session.run(Map.of(model.inputs().get(0).name(), input))) {
            System.out.println("device: " + engine.deviceNote());
            System.out.println("path: " + engine.cpuPath());
            System.out.println("outputs: " + result.outputs().keySet());
        }
    }
}
EOF
echo "consumer: building with Maven"
maven package org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath -Dmdep.outputFile=classpath.txt
libraries=$(cat classpath.txt)
for banned in logback picocli; do
    case $libraries in *"$banned"*) fail "consumers get $banned" ;; esac
done

runs() {
    local name=$1 expected=$2 printed
    shift 2
    printed=$(timeout 120 "$@" 2>&1) || fail "$name: exit $?: $printed"
    grep -q "$expected" <<<"$printed" || fail "$name: no '$expected' in: $printed"
    echo "consumer: $name: $(grep '^device:' <<<"$printed" | cut -c 1-150)"
}
runs "class path" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "target/classes:$libraries" app.App shapes.onnx "$device"
runs "module path" 'outputs: \[scores\]' java -Dclinfer.cache=off -p "target/classes:$libraries" -m app/app.App shapes.onnx "$device"
runs "module path, vectors" 'path: vector' java -Dclinfer.cache=off --add-modules jdk.incubator.vector \
    -p "target/classes:$libraries" -m app/app.App shapes.onnx cpu

# JOCL takes over, and the sentence says why LWJGL did not load
without_core=$(tr : '\n' <<<"$libraries" | grep -v '/lwjgl-[0-9.]*\.jar$' | paste -sd :)
runs "without LWJGL's core" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "target/classes:$without_core" app.App shapes.onnx "$device"
other=3.3.6
if maven org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get "-Dartifact=org.lwjgl:lwjgl:$other" -Dtransitive=false >/dev/null 2>&1; then
    mixed=$folder/repository/org/lwjgl/lwjgl/$other/lwjgl-$other.jar
    runs "two versions of LWJGL" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "target/classes:$mixed:$libraries" app.App shapes.onnx "$device"
else
    echo "consumer: LWJGL $other cannot be had; two versions are not tried"
fi

runs "the command line's jar" '0' java -jar "$root/target/clinfer-cli.jar" --version

if command -v gradle >/dev/null; then
    echo "consumer: building with Gradle"
    cat >build.gradle <<EOF
apply plugin: 'java'
repositories {
    maven { url '$folder/repository' }
}
dependencies {
    compile 'org.clinfer:clinfer:$version'
}
EOF
    rm src/main/java/module-info.java
    gradle --offline --no-daemon -q build || fail "Gradle does not build it"
else
    echo "consumer: no Gradle here"
fi
echo "consumer: all is well"
