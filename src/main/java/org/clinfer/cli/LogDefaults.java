package org.clinfer.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.clinfer.text.Printable;
import org.slf4j.Logger;

/**
 * The default configuration of Logback: warnings, or from the level of the property {@code clinfer.log} on, go to
 * stderr. In Java, because to read an XML file takes Logback a tenth of a second at the start of every command.
 */
@ConfiguratorRank(ConfiguratorRank.NOMINAL)
public final class LogDefaults extends ContextAwareBase implements Configurator {

    /** The least level of what is logged. */
    public static final String LEVEL_PROPERTY = "clinfer.log";

    /** The logger of lines that the environment variable {@code CLINFER_VERBOSE} asks for, which have a form of their own. */
    private static final String VERBOSE = "clinfer.verbose";

    private final ClassLoader loader;

    public LogDefaults() {
        this(LogDefaults.class.getClassLoader());
    }

    /** @param loader finds the files that Logback would read */
    LogDefaults(ClassLoader loader) {
        this.loader = loader;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (isConfigured()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(new OneLine());
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("STDERR");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.WARN));
        root.addAppender(appender);
        context.getLogger(VERBOSE).setLevel(Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** {@return whether there is a file that Logback would read} */
    private boolean isConfigured() {
        return System.getProperty("logback.configurationFile") != null
                || loader.getResource("logback-test.xml") != null
                || loader.getResource("logback.xml") != null;
    }

    /** Level and message on a line, whatever names of models are in it, and the trace of an exception below it. */
    private static final class OneLine extends LayoutBase<ILoggingEvent> {

        @Override
        public String doLayout(ILoggingEvent event) {
            StringBuilder text = new StringBuilder();
            String level = event.getLoggerName().equals(VERBOSE) ? "" : event.getLevel() + ": ";
            add(text, level + event.getFormattedMessage());
            if (event.getThrowableProxy() instanceof ThrowableProxy thrown) {
                CommandFailure.trace(thrown.getThrowable()).forEach(line -> add(text, line));
            }
            return text.toString();
        }

        private static void add(StringBuilder text, String line) {
            text.append(Printable.of(line)).append(System.lineSeparator());
        }
    }
}
