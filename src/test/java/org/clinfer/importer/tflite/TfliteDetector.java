package org.clinfer.importer.tflite;

import com.google.flatbuffers.FlexBuffersBuilder;
import java.nio.ByteBuffer;

/** The end of a detector, as tests write it. */
public final class TfliteDetector {

    private TfliteDetector() {}

    /** Options of the operator. */
    public static byte[] options(boolean regular, int detections, float overlap) {
        FlexBuffersBuilder options = new FlexBuffersBuilder();
        int map = options.startMap();
        options.putInt("max_detections", detections);
        options.putInt("max_classes_per_detection", 1);
        options.putInt("num_classes", 2);
        options.putBoolean("use_regular_nms", regular);
        options.putFloat("nms_score_threshold", 0.1f);
        options.putFloat("nms_iou_threshold", overlap);
        options.putFloat("y_scale", 10);
        options.putFloat("x_scale", 10);
        options.putFloat("h_scale", 5);
        options.putFloat("w_scale", 5);
        options.endMap(null, map);
        ByteBuffer bytes = options.finish();
        byte[] copied = new byte[bytes.remaining()];
        bytes.get(copied);
        return copied;
    }

    /** Three anchors, the first two of which are nearly the same. */
    public static TfliteNet network(byte[] options) {
        TfliteNet net = new TfliteNet();
        int boxes = net.input("boxes", "float32", 1, 3, 4);
        int scores = net.input("scores", "float32", 1, 3, 3);
        int anchors = net.floats(
                "anchors", new float[] {0.5f, 0.5f, 0.4f, 0.4f, 0.5f, 0.52f, 0.4f, 0.4f, 0.2f, 0.2f, 0.2f, 0.2f}, 3, 4);
        int[] results = {
            net.value("corners", "float32", 1, 4, 4),
            net.value("classes", "float32", 1, 4),
            net.value("best", "float32", 1, 4),
            net.value("number", "float32", 1)
        };
        net.custom("TFLite_Detection_PostProcess", results, options, boxes, scores, anchors);
        for (int result : results) {
            net.output(result);
        }
        return net;
    }
}
