package org.clinfer.image;

/** The four numbers by which a network says where a box is. */
public enum BoxFormat {
    /** Centre, then width and height: the YOLO family. */
    CXCYWH {
        @Override
        Box box(double a, double b, double c, double d) {
            return new Box(a - c / 2, b - d / 2, a + c / 2, b + d / 2);
        }
    },
    /** Left, top, right, bottom: SSD, torchvision, YOLOX after decoding. */
    XYXY {
        @Override
        Box box(double a, double b, double c, double d) {
            return new Box(a, b, c, d);
        }
    },
    /** Top, left, bottom, right: TensorFlow's detectors. */
    YXYX {
        @Override
        Box box(double a, double b, double c, double d) {
            return new Box(b, a, d, c);
        }
    },
    /** Left, top, width, height: COCO's annotations. */
    XYWH {
        @Override
        Box box(double a, double b, double c, double d) {
            return new Box(a, b, a + c, b + d);
        }
    };

    abstract Box box(double a, double b, double c, double d);
}
