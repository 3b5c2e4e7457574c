import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.image.Box;
import org.clinfer.image.Detection;
import org.clinfer.image.Detections;
import org.clinfer.image.Fit;
import org.clinfer.image.Labels;
import org.clinfer.image.Picture;
import org.clinfer.image.PreparedPicture;
import org.clinfer.image.Preprocessing;

/**
 * Finds faces in a photograph with one network, Ultra-Light-Fast-Generic-Face-Detector (version-RFB-320.onnx): boxes as parts
 * of the input, and scores of background and face.
 *
 * <p>{@code java -cp target/clinfer-cli.jar examples/pictures/Detector.java MODEL PICTURE OUT.png}
 */
public final class Detector {

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            System.err.println("usage: Detector MODEL PHOTO OUTPUT");
            System.exit(2);
        }
        Preprocessing recipe =
                Preprocessing.defaults().withFit(Fit.LETTERBOX).withScale(1).withMean(127).withStd(128);
        Detections faces = Detections.ssd().withThresholds(0.7, 0.3).withLabels(new Labels(List.of("face")));
        Picture picture = Picture.of(Path.of(arguments[1]));
        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model model = engine.load(Path.of(arguments[0]));
                Session session = model.session()) {
            Graph.Input input = model.inputs().get(0);
            try (PreparedPicture image = recipe.prepare(picture, input.type());
                    Result result = session.run(Map.of(input.name(), image.tensor()))) {
                List<Detection> found = faces.of(result.get("boxes"), result.get("scores"), image);
                found.forEach(System.out::println);
                ImageIO.write(marked(picture, found), "png", new File(arguments[2]));
            }
        }
    }

    private static BufferedImage marked(Picture picture, List<Detection> found) {
        BufferedImage image = picture.toBufferedImage();
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.GREEN);
        for (Detection each : found) {
            Box box = each.box();
            graphics.drawRect((int) box.left(), (int) box.top(), (int) box.width(), (int) box.height());
        }
        graphics.dispose();
        return image;
    }
}
