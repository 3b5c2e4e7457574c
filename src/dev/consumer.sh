#!/usr/bin/env bash
# Uses the artifacts as another project does: builds them and installs them into an empty repository, builds a program
# against them with Maven, and with Gradle where there is one, and runs it without any option of java, on the class path
# and on the module path, with Logback, slf4j-simple and no log at all, and with other versions of LWJGL. Needs Maven, a
# network (or --offline) and some minutes; fails with the first thing that is not as it should be.
#
# Usage: src/dev/consumer.sh [--offline] [--device DEVICE]
#
#        --offline          begin with the libraries of the local Maven repository, and take none from elsewhere
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

maven() {
    mvn -B -q ${offline[@]+"${offline[@]}"} "-Dmaven.repo.local=$folder/repository" "$@"
}
mkdir -p "$folder/repository"
if [ ${#offline[@]} -gt 0 ]; then
    cp -al "$local_repository/." "$folder/repository/" 2>/dev/null || cp -a "$local_repository/." "$folder/repository/"
    rm -rf "$folder/repository/org/clinfer"
fi

echo "consumer: building and installing"
cd "$root"
version=$(sed -n 's/^  <version>\(.*\)<\/version>/\1/p' pom.xml | head -n 1)
maven -DskipTests install >"$folder/log" 2>&1 || fail "mvn install: $(grep -m 5 ERROR "$folder/log")"
installed=$folder/repository/org/clinfer/clinfer/$version
for artifact in .jar -sources.jar -javadoc.jar -cli.jar .pom; do
    [ -f "$installed/clinfer-$version$artifact" ] || fail "clinfer-$version$artifact is not installed"
done

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
    requires org.slf4j;
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
import org.slf4j.LoggerFactory;

public final class App {
    public static void main(String[] arguments) {
        LoggerFactory.getLogger("app").info("the application starts");
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

# NAME EXPECTED COMMAND...; what it prints is in "printed"
runs() {
    local name=$1 expected=$2
    shift 2
    printed=$(timeout 120 "$@" 2>&1) || fail "$name: exit $?: $printed"
    grep -q "$expected" <<<"$printed" || fail "$name: no '$expected' in: $printed"
    echo "consumer: $name: $(grep '^device:' <<<"$printed" | cut -c 1-150)"
}

# NAME CLASS_PATH: the application's own line is there, and of Clinfer's none but the one about vectors
logs() {
    runs "$1" 'INFO.*the application starts' java -Dclinfer.cache=off -cp "$2" app.App shapes.onnx cpu
    [ "$(grep -c 'org\.clinfer' <<<"$printed")" = 1 ] || fail "$1: other lines than one: $printed"
    grep 'org\.clinfer' <<<"$printed" | grep -q 'INFO.*--add-modules jdk.incubator.vector' || fail "$1: $printed"
}

# GROUP ARTIFACT VERSION: whether it can be had; its jar is in "jar"
gets() {
    jar=$folder/repository/${1//./\/}/$2/$3/$2-$3.jar
    [ -f "$jar" ] || maven org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get "-Dartifact=$1:$2:$3" \
        -Dtransitive=false >/dev/null 2>&1 || { echo "consumer: $2 $3 cannot be had, and is not tried" && return 1; }
}

property() {
    sed -n "s/^ *<$1.version>\(.*\)<.*/\1/p" "$root/pom.xml"
}

runs "class path" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "target/classes:$libraries" app.App shapes.onnx "$device"
runs "module path" 'outputs: \[scores\]' java -Dclinfer.cache=off -p "target/classes:$libraries" -m app/app.App shapes.onnx "$device"
runs "module path, vectors" 'path: vector' java -Dclinfer.cache=off --add-modules jdk.incubator.vector \
    -p "target/classes:$libraries" -m app/app.App shapes.onnx cpu
if gets org.slf4j slf4j-simple "$(property slf4j)"; then
    logs "slf4j-simple" "target/classes:$jar:$libraries"
fi
if gets ch.qos.logback logback-core "$(property logback)"; then
    core=$jar
    cat >target/classes/logback.xml <<EOF
<configuration>
  <appender name="lines" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%level %logger: %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="lines"/></root>
</configuration>
EOF
    gets ch.qos.logback logback-classic "$(property logback)" && logs "Logback" "target/classes:$jar:$core:$libraries"
fi

# JOCL takes over, and the sentence says why LWJGL did not load
without_core=$(tr : '\n' <<<"$libraries" | grep -v '/lwjgl-[0-9.]*\.jar$' | paste -sd :)
runs "without LWJGL's core" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "target/classes:$without_core" app.App shapes.onnx "$device"
if gets org.lwjgl lwjgl 3.3.6; then
    runs "two versions of LWJGL" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "target/classes:$jar:$libraries" app.App shapes.onnx "$device"
fi

if gets io.micrometer micrometer-core 1.17.2; then
    cp -r "$root/examples/micrometer" "$folder/micrometer"
    cd "$folder/micrometer"
    maven compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
        -Dmdep.outputFile=classpath.txt "-Dclinfer.version=$version"
    runs "meters" 'clinfer.runs(TIMER).*count=5' java -Dclinfer.cache=off -cp "target/classes:$(cat classpath.txt)" \
        Service "$folder/app/shapes.onnx" "$device" 5
    cd "$folder/app"
fi

runs "the command line's jar" "$version" java -jar "$installed/clinfer-$version-cli.jar" --version

if command -v gradle >/dev/null; then
    echo "consumer: building with Gradle"
    cat >build.gradle <<EOF
apply plugin: 'java'
repositories {
    maven { url '$folder/repository' }
}
dependencies {
    implementation 'org.clinfer:clinfer:$version'
}
task classPath {
    doLast { println sourceSets.main.runtimeClasspath.asPath }
}
EOF
    rm src/main/java/module-info.java
    gradle --offline --no-daemon -q build || fail "Gradle does not build it"
    libraries=$(gradle --offline --no-daemon -q classPath 2>/dev/null | tail -n 1)
    for banned in logback picocli; do
        case $libraries in *"$banned"*) fail "consumers by Gradle get $banned" ;; esac
    done
    runs "Gradle" 'outputs: \[scores\]' java -Dclinfer.cache=off -cp "$libraries" app.App shapes.onnx "$device"
else
    echo "consumer: no Gradle here"
fi
echo "consumer: all is well"
