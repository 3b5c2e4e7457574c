package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What is logged where nothing else configures Logback. */
class LogDefaultsTest {

    private final LoggerContext context = new LoggerContext();

    @AfterEach
    void forget() {
        System.clearProperty(LogDefaults.LEVEL_PROPERTY);
        context.stop();
    }

    private ExecutionStatus configured(ClassLoader loader) {
        LogDefaults defaults = new LogDefaults(loader);
        defaults.setContext(context);
        return defaults.configure(context);
    }

    private ch.qos.logback.classic.Logger configuredLogger() {
        assertThat(configured(ClassLoader.getPlatformClassLoader()))
                .isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        return context.getLogger("org.clinfer.Any");
    }

    @Test
    void warningsGoToStderr() {
        ch.qos.logback.classic.Logger logger = configuredLogger();
        ConsoleAppender<ILoggingEvent> appender = (ConsoleAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
        LoggingEvent event =
                new LoggingEvent("", logger, Level.WARN, "{} ran one by one", null, new Object[] {"launches"});

        assertThat(logger.isWarnEnabled()).isTrue();
        assertThat(logger.isInfoEnabled()).isFalse();
        assertThat(appender.isStarted()).isTrue();
        assertThat(appender.getTarget()).isEqualTo("System.err");
        assertThat(new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8))
                .isEqualToNormalizingNewlines("WARN: launches ran one by one\n");
    }

    @Test
    void eachIsOneLineAndATraceBelowIt() {
        ch.qos.logback.classic.Logger logger = configuredLogger();
        ConsoleAppender<ILoggingEvent> appender = (ConsoleAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
        Throwable thrown = new IllegalStateException("one\nERROR: two\u001b[2J");
        LoggingEvent event =
                new LoggingEvent("", logger, Level.WARN, "node '{}'", thrown, new Object[] {"a\nERROR: b\u202e"});

        assertThat(new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8).lines())
                .startsWith(
                        "WARN: node 'a\\u000aERROR: b\\u202e'",
                        "java.lang.IllegalStateException: one",
                        "    ERROR: two\\u001b[2J")
                .anyMatch(line -> line.startsWith("    at org.clinfer.cli.LogDefaultsTest"));
    }

    @Test
    void thePropertySetsTheLeastLevel() {
        System.setProperty(LogDefaults.LEVEL_PROPERTY, "DEBUG");

        assertThat(configuredLogger().isDebugEnabled()).isTrue();
        assertThat(configuredLogger().isTraceEnabled()).isFalse();
    }

    @Test
    void aConfigurationFileGoesFirst() {
        // the one of the tests
        assertThat(configured(LogDefaultsTest.class.getClassLoader())).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.DEBUG);
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                .isExhausted();
    }

    @Test
    void logbackFindsThem() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(LogDefaults.class);
    }
}
