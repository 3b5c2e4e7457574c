import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Finds faces with the three networks of MTCNN (Zhang et al., "Joint Face Detection and Alignment using Multi-task
 * Cascaded Convolutional Networks", 2016): the first looks at every place of the picture at several sizes, the second and
 * the third look closer at what is left, and the third finds eyes, nose and the corners of the mouth.
 *
 * <p>{@code java -cp target/clinfer-cli.jar examples/face-detection/FaceDetection.java MODELS PICTURE OUT.png}
 */
public final class FaceDetection {

    private static final double SMALLEST_FACE = 40;
    private static final double STEP_OF_SIZES = 0.709;
    private static final int FIRST_WINDOW = 12;
    private static final int FIRST_STRIDE = 2;

    /** A square, or nearly one, that may be a face; {@code points} are five x and five y, or none. */
    record Box(double left, double top, double right, double bottom, double score, double[] points) {

        double width() {
            return right - left;
        }

        double height() {
            return bottom - top;
        }

        /** Moved by what a network says, in parts of its size. */
        Box moved(float[] by) {
            return new Box(
                    left + by[0] * width(),
                    top + by[1] * height(),
                    right + by[2] * width(),
                    bottom + by[3] * height(),
                    score,
                    points);
        }

        Box square() {
            double side = Math.max(width(), height());
            double x = left + (width() - side) / 2;
            double y = top + (height() - side) / 2;
            return new Box(x, y, x + side, y + side, score, points);
        }

        /** What both share, by the area of their union or of the smaller one. */
        double overlap(Box other, boolean bySmaller) {
            double w = Math.min(right, other.right) - Math.max(left, other.left);
            double h = Math.min(bottom, other.bottom) - Math.max(top, other.top);
            if (w <= 0 || h <= 0) {
                return 0;
            }
            double own = width() * height();
            double others = other.width() * other.height();
            return w * h / (bySmaller ? Math.min(own, others) : own + others - w * h);
        }
    }

    private final Session[] stages;
    private final BufferedImage picture;

    private FaceDetection(Session[] stages, BufferedImage picture) {
        this.stages = stages;
        this.picture = picture;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            System.err.println("usage: FaceDetection MODELS PHOTO OUTPUT");
            System.exit(2);
        }
        Path models = Path.of(arguments[0]);
        BufferedImage picture = ImageIO.read(new File(arguments[1]));
        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model first = engine.load(models.resolve("mtcnn_det1/det1.prototxt"));
                Model second = engine.load(models.resolve("mtcnn_det2/det2.prototxt"));
                Model third = engine.load(models.resolve("mtcnn_det3/det3.prototxt"));
                Session one = first.session();
                Session two = second.session();
                Session three = third.session()) {
            List<Box> faces = new FaceDetection(new Session[] {one, two, three}, picture).faces();
            for (Box face : faces) {
                System.out.printf(
                        Locale.ROOT,
                        "face %.0f,%.0f to %.0f,%.0f, score %.3f%n",
                        face.left,
                        face.top,
                        face.right,
                        face.bottom,
                        face.score);
            }
            System.out.println(faces.size() + " faces");
            draw(picture, faces);
            ImageIO.write(picture, "png", new File(arguments[2]));
        }
    }

    private List<Box> faces() {
        List<Box> boxes = new ArrayList<>();
        double shorter = Math.min(picture.getWidth(), picture.getHeight());
        for (double scale = FIRST_WINDOW / SMALLEST_FACE; shorter * scale >= FIRST_WINDOW; scale *= STEP_OF_SIZES) {
            boxes.addAll(best(candidates(scale), 0.5, false));
        }
        boxes = best(boxes, 0.7, false).stream().map(Box::square).toList();
        boxes = best(looked(stages[1], boxes, 24, 0.7), 0.7, false).stream().map(Box::square).toList();
        return best(looked(stages[2], boxes, 48, 0.8), 0.7, true);
    }

    /** What the first network takes for a face in the picture at one scale. */
    private List<Box> candidates(double scale) {
        int width = (int) Math.ceil(picture.getWidth() * scale);
        int height = (int) Math.ceil(picture.getHeight() * scale);
        Box whole = new Box(0, 0, picture.getWidth(), picture.getHeight(), 1, new double[0]);
        List<Box> boxes = new ArrayList<>();
        try (Result result = stages[0].run(Map.of("data", input(whole, width, height)))) {
            Tensor scores = result.get("prob1");
            float[] score = scores.toFloatArray();
            float[] shift = result.get("conv4-2").toFloatArray();
            int columns = (int) scores.shape().size(2);
            int rows = (int) scores.shape().size(3);
            int places = columns * rows;
            for (int place = 0; place < places; place++) {
                if (score[places + place] < 0.6f) {
                    continue;
                }
                double x = FIRST_STRIDE * (place / rows);
                double y = FIRST_STRIDE * (place % rows);
                Box window = new Box(
                        x / scale,
                        y / scale,
                        (x + FIRST_WINDOW) / scale,
                        (y + FIRST_WINDOW) / scale,
                        score[places + place],
                        new double[0]);
                boxes.add(window.moved(new float[] {
                    shift[place], shift[places + place], shift[2 * places + place], shift[3 * places + place]
                }));
            }
        }
        return boxes;
    }

    /** Those of the boxes that a later network takes for faces, where it says they are. */
    private List<Box> looked(Session network, List<Box> boxes, int size, double least) {
        List<Box> faces = new ArrayList<>();
        for (Box box : boxes) {
            try (Result result = network.run(Map.of("data", input(box, size, size)))) {
                double score = result.get("prob1").toFloatArray()[1];
                if (score < least) {
                    continue;
                }
                float[] shift = result.get(size == 24 ? "conv5-2" : "conv6-2").toFloatArray();
                double[] points = size == 24 ? new double[0] : points(box, result.get("conv6-3").toFloatArray());
                faces.add(new Box(box.left, box.top, box.right, box.bottom, score, points).moved(shift));
            }
        }
        return faces;
    }

    private static double[] points(Box box, float[] parts) {
        double[] points = new double[10];
        for (int i = 0; i < 5; i++) {
            points[i] = box.left + parts[i] * box.width();
            points[5 + i] = box.top + parts[5 + i] * box.height();
        }
        return points;
    }

    /** The best boxes, without those that overlap with a better one. */
    private static List<Box> best(List<Box> boxes, double most, boolean bySmaller) {
        List<Box> kept = new ArrayList<>();
        boxes.stream().sorted(Comparator.comparingDouble(Box::score).reversed()).forEach(box -> {
            if (kept.stream().noneMatch(better -> better.overlap(box, bySmaller) > most)) {
                kept.add(box);
            }
        });
        return kept;
    }

    /** A part of the picture as these networks were trained with: columns first, colours from -1 to 1. */
    private Tensor input(Box part, int width, int height) {
        BufferedImage scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = scaled.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.scale(width / part.width(), height / part.height());
        graphics.translate(-part.left, -part.top);
        graphics.drawImage(picture, 0, 0, null);
        graphics.dispose();
        Tensor tensor = Tensor.allocate(DType.FLOAT32, 1, 3, width, height);
        FloatBuffer values = tensor.floats();
        for (int channel = 0; channel < 3; channel++) {
            for (int x = 0; x < width; x++) {
                for (int y = 0; y < height; y++) {
                    int colour = scaled.getRGB(x, y) >> 8 * (2 - channel) & 0xff;
                    values.put((colour - 127.5f) / 128);
                }
            }
        }
        return tensor;
    }

    private static void draw(BufferedImage picture, List<Box> faces) {
        Graphics2D graphics = picture.createGraphics();
        graphics.setStroke(new BasicStroke(3));
        for (Box face : faces) {
            graphics.setColor(Color.GREEN);
            graphics.drawRect((int) face.left, (int) face.top, (int) face.width(), (int) face.height());
            graphics.setColor(Color.YELLOW);
            int radius = (int) Math.ceil(face.width() / 30);
            for (int i = 0; i < face.points.length / 2; i++) {
                graphics.fillOval((int) face.points[i] - radius, (int) face.points[5 + i] - radius, 2 * radius, 2 * radius);
            }
        }
        graphics.dispose();
    }
}
