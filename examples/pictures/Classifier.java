import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.image.Channels;
import org.clinfer.image.Fit;
import org.clinfer.image.Labels;
import org.clinfer.image.Picture;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.Tensor;

/**
 * Says what is in a photograph, with a classifier as Caffe's of ImageNet: blue, green and red without their means.
 *
 * <p>{@code java -cp target/clinfer-cli.jar examples/pictures/Classifier.java MODEL LABELS PICTURE}
 */
public final class Classifier {

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            System.err.println("usage: Classifier MODEL LABELS PHOTO");
            System.exit(2);
        }
        Preprocessing recipe =
                Preprocessing.defaults().withFit(Fit.CROP).withChannels(Channels.BGR).withScale(1).withMean(104, 117, 123);
        Labels labels = Labels.read(Path.of(arguments[1]));
        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model model = engine.load(Path.of(arguments[0]));
                Session session = model.session()) {
            Graph.Input input = model.inputs().get(0);
            Tensor image = recipe.tensor(Picture.of(Path.of(arguments[2])), input.type());
            try (Result result = session.run(Map.of(input.name(), image))) {
                labels.top(result.get(model.outputs().get(0)), 5).forEach(System.out::println);
            }
        }
    }
}
