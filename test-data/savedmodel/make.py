"""Makes SavedModels with TensorFlow (2.21), and what it computes with them.

    python make.py DIR

writes a folder for each: the SavedModel, and in ref the inputs and outputs of its signature, in the order of their keys.
What is in no way needed to read a network (fingerprint.pb, assets) is left out.
"""

import json
import os
import pathlib
import shutil
import sys

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
os.environ['CUDA_VISIBLE_DEVICES'] = ''

import numpy as np
import tensorflow as tf

folder = pathlib.Path(sys.argv[1])
random = np.random.RandomState(7)


def numbers(*sizes):
    return random.uniform(-1, 1, sizes).astype(np.float32)


def variable(name, *sizes):
    return tf.Variable(numbers(*sizes), name=name)


def record(name, feeds, signature='serving_default'):
    """Runs a signature, and writes what goes in and comes out."""
    own = folder / name
    for unused in ('fingerprint.pb', 'assets'):
        path = own / unused
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    loaded = tf.saved_model.load(str(own))
    given = loaded.signatures[signature](**{key: tf.constant(value) for key, value in feeds.items()})
    ref = own / 'ref'
    ref.mkdir()
    for k, key in enumerate(sorted(feeds)):
        np.save(ref / f'input_{k}.npy', feeds[key])
    for k, key in enumerate(sorted(given)):
        np.save(ref / f'output_{k}.npy', given[key].numpy())
    (ref / 'ref.json').write_text(json.dumps({
        'inputs': [{'name': key} for key in sorted(feeds)], 'outputs': [{'name': key} for key in sorted(given)]}) + '\n')


class Classifier(tf.Module):
    """A convolution with a normalization, in a function of its own, and two outputs."""

    def __init__(self):
        super().__init__()
        self.filter = variable('filter', 3, 3, 3, 4)
        self.scale = variable('scale', 4)
        self.offset = variable('offset', 4)
        self.mean = variable('mean', 4)
        self.variance = tf.Variable(random.uniform(0.5, 1.5, [4]).astype(np.float32), name='variance')
        self.weights = variable('weights', 4, 5)

    @tf.function
    def features(self, picture):
        sums = tf.nn.conv2d(picture, self.filter, strides=2, padding='SAME')
        normal, _, _ = tf.compat.v1.nn.fused_batch_norm(
            sums, self.scale, self.offset, self.mean, self.variance, is_training=False)
        return tf.nn.relu(normal)

    @tf.function(input_signature=[tf.TensorSpec([None, 8, 8, 3], tf.float32, name='picture')])
    def serve(self, picture):
        features = self.features(picture)
        scores = tf.matmul(tf.reduce_mean(features, [1, 2]), self.weights)
        return {'scores': tf.nn.softmax(scores), 'features': features}


class Words(tf.Module):
    """Rows of a table, two inputs, one function called twice, and a signature of another name."""

    def __init__(self):
        super().__init__()
        self.table = variable('table', 7, 4)
        self.weights = variable('weights', 4, 3)

    @tf.function
    def layer(self, x):
        return tf.tanh(tf.matmul(x, self.weights))

    @tf.function(input_signature=[
        tf.TensorSpec([None], tf.int32, name='words'), tf.TensorSpec([None, 4], tf.float32, name='context')])
    def translate(self, words, context):
        left, right = tf.split(self.layer(tf.gather(self.table, words)) - self.layer(context), [1, 2], axis=1)
        return {'left': left, 'right': right}


class Conditions(tf.Module):
    """A condition and a loop that data decide, and a condition that is always the same."""

    def __init__(self):
        super().__init__()
        self.weights = variable('weights', 4, 4)

    @tf.function(input_signature=[
        tf.TensorSpec([2, 4], tf.float32, name='x'), tf.TensorSpec([1], tf.int32, name='steps')])
    def serve(self, x, steps):
        y = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(x, self.weights), lambda: -x)
        _, z = tf.while_loop(
            lambda i, each: i < steps[0],
            lambda i, each: (i + 1, tf.tanh(tf.matmul(each, self.weights))),
            [tf.constant(0), x])
        return {'y': y, 'z': z}


class Attention(tf.Module):
    """Sums of products by their equations, and an activation whose gradient is written by hand."""

    def __init__(self):
        super().__init__()
        self.query = variable('query', 6, 2, 3)
        self.key = variable('key', 6, 2, 3)

    @tf.function(input_signature=[tf.TensorSpec([None, 5, 6], tf.float32, name='x')])
    def serve(self, x):
        query = tf.einsum('abc,cde->abde', x, self.query)
        key = tf.einsum('abc,cde->abde', tf.nn.silu(x), self.key)
        weights = tf.nn.softmax(tf.einsum('aecd,abcd->acbe', key, query))
        return {'y': tf.einsum('acbe,aecd->abcd', weights, key), 'sums': tf.einsum('abc->c', x)}


class Loops(tf.Module):
    """Loops in each other, one that makes a value longer and one without iterations; lists that loops and conditions write."""

    def __init__(self):
        super().__init__()
        self.weights = variable('weights', 4, 4)

    @tf.function(input_signature=[
        tf.TensorSpec([2, 4], tf.float32, name='x'), tf.TensorSpec([1], tf.int32, name='steps')])
    def serve(self, x, steps):
        outside = tf.tanh(x) * 2.0

        def again(i, y):
            _, z = tf.while_loop(
                lambda j, z: j < i, lambda j, z: (j + 1, tf.tanh(tf.matmul(z, self.weights)) + outside), [0, y])
            z = tf.cond(tf.reduce_sum(z) > 0, lambda: z - tf.matmul(x, self.weights), lambda: z * outside)
            return i + 1, z

        _, nested = tf.while_loop(lambda i, y: i < steps[0], again, [0, x])
        _, grown = tf.while_loop(
            lambda i, y: i < steps[0], lambda i, y: (i + 1, tf.concat([y, y[:1] * 0.5], 0)), [0, x],
            shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 4])])
        _, never = tf.while_loop(lambda i, y: i < 0, lambda i, y: (i + 1, y * 2), [0, x])
        rows = tf.TensorArray(tf.float32, size=3, element_shape=[2, 4])
        _, rows = tf.while_loop(
            lambda i, all: i < 3,
            lambda i, all: (i + 1, tf.cond(
                i > 1, lambda: all.write(i, x * tf.cast(i, tf.float32)), lambda: all.write(i, x))),
            [0, rows])
        two = tf.TensorArray(tf.float32, size=2).write(0, x).write(1, -x)
        return {
            'nested': nested, 'grown': grown, 'never': never, 'list': rows.stack(), 'joined': rows.concat(),
            'picked': two.gather([1, 0, 1]), 'size': rows.size(),
            'mapped': tf.map_fn(lambda row: tf.reduce_sum(row) * row, x)}


class Lists(tf.Module):
    """Lists that become longer: arrays, in loops and conditions, and lists that items are put behind and taken from."""

    @tf.function(input_signature=[
        tf.TensorSpec([None, 3], tf.float32, name='x'), tf.TensorSpec([1], tf.int32, name='steps')])
    def serve(self, x, steps):
        def array(**kind):
            return tf.TensorArray(tf.float32, size=0, dynamic_size=True, **kind)

        all = array()
        some = array(element_shape=[3])
        count = 0
        for i in tf.range(steps[0]):
            all = all.write(i, x[i] * 2)
            if tf.reduce_sum(x[i]) > 0:
                some = some.write(count, x[i])
                count += 1
        apart = array().write(0, x[0]).write(1, x[1] + 1).write(3, x[1] - 1)

        raw = tf.raw_ops
        behind = raw.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.float32)
        _, behind = tf.while_loop(
            lambda i, each: i < steps[0],
            lambda i, each: (i + 1, raw.TensorListPushBack(input_handle=each, tensor=x[i] + 1)),
            [0, behind])
        shorter, last = raw.TensorListPopBack(input_handle=behind, element_shape=[3], element_dtype=tf.float32)

        def stacked(handle):
            return raw.TensorListStack(input_handle=handle, element_shape=[3], element_dtype=tf.float32)

        return {
            'all': all.stack(), 'some': some.stack(), 'apart': apart.stack(), 'behind': stacked(behind),
            'shorter': stacked(shorter), 'last': last, 'length': raw.TensorListLength(input_handle=shorter),
            'resized': stacked(raw.TensorListResize(input_handle=shorter, size=5)),
            'cut': stacked(raw.TensorListResize(input_handle=shorter, size=1))}


def save(name, module, function, signature='serving_default'):
    tf.saved_model.save(module, str(folder / name), signatures={signature: function})


def keras():
    x = tf.keras.Input([6, 6, 2], name='picture')
    y = tf.keras.layers.Conv2D(3, 3, padding='same', activation='relu')(x)
    y = tf.keras.layers.BatchNormalization()(y)
    y = tf.keras.layers.MaxPooling2D()(y)
    y = tf.keras.layers.Dropout(0.5)(y)
    y = tf.keras.layers.Flatten()(y)
    y = tf.keras.layers.Dense(4, activation='softmax')(y)
    model = tf.keras.Model(x, y)
    for weight in model.weights:
        weight.assign(random.uniform(0.1, 1, weight.shape))
    model.export(str(folder / 'keras'), verbose=False)
    record('keras', {'picture': numbers(2, 6, 6, 2)})


def keras_saved():
    """A model of Keras 3 by the way of modules: copies of its variables are restored, and the objects tell which."""
    x = tf.keras.Input([3], name='inputs')
    model = tf.keras.Model(x, tf.keras.layers.Dense(2)(tf.keras.layers.Dense(4, activation='relu')(x)))
    for weight in model.weights:
        weight.assign(np.random.RandomState(8).uniform(-1, 1, weight.shape))
    tf.saved_model.save(model, str(folder / 'keras-saved'))
    record('keras-saved', {'inputs': np.random.RandomState(9).uniform(-1, 1, [2, 3]).astype(np.float32)})


def recurrent(name, layers, sizes, dtype=tf.float32):
    """Layers of Keras that go through the steps of a sequence, for any number of sequences."""
    x = tf.keras.Input(sizes, name='x', dtype=dtype)
    model = tf.keras.Model(x, layers(x))
    for weight in model.weights:
        weight.assign(random.uniform(-1, 1, weight.shape))
    model.export(str(folder / name), verbose=False)
    record(name, {'x': random.randint(0, 7, [3, *sizes]).astype(np.int32) if dtype == tf.int32 else numbers(3, *sizes)})


def first_version(name, resource):
    """As TensorFlow 1 saves: a session's graph; one variable of it in two parts, in files of two shards."""
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session(
            config=v1.ConfigProto(device_count={'CPU': 2})) as session:
        with v1.variable_scope('net', use_resource=resource):
            x = v1.placeholder(tf.float32, [None, 4], name='x')
            with tf.device('/cpu:0'):
                parts = v1.get_variable(
                    'parts', [4, 6], initializer=v1.random_uniform_initializer(-1, 1, seed=3),
                    partitioner=v1.fixed_size_partitioner(2, axis=1))
            with tf.device('/cpu:1'):
                bias = v1.get_variable('bias', initializer=numbers(6))
            y = tf.nn.relu(tf.matmul(x, parts) + bias, name='y')
        session.run(v1.global_variables_initializer())
        builder = v1.saved_model.Builder(str(folder / name))
        builder.add_meta_graph_and_variables(
            session, ['serve'],
            {'serving_default': v1.saved_model.predict_signature_def({'x': x}, {'y': y})},
            saver=v1.train.Saver(sharded=True))
        builder.save()
    record(name, {'x': numbers(3, 4)})


def first_control(name):
    """Control flow of TensorFlow 1 in a function: a condition, a loop and an array, wrapped by TensorFlow 2."""
    v1 = tf.compat.v1
    v1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 4], name='x')
        y = v1.cond(tf.reduce_sum(x) > 0, lambda: x + 1, lambda: tf.tile(tf.split(x, 2, axis=1)[1], [1, 2]) - 1)
        rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[4])
        _, rows = v1.while_loop(
            lambda i, all: i < tf.shape(x)[0], lambda i, all: (i + 1, all.write(i, y[i] * 2)), [0, rows])
        tf.identity(rows.stack(), name='y')
    v1.enable_control_flow_v2()
    module = tf.Module()
    module.function = v1.wrap_function(lambda: tf.import_graph_def(graph.as_graph_def(), name=''), []).prune('x:0', 'y:0')

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name='x')])
    def serve(x):
        return {'y': module.function(x)}

    save(name, module, serve)
    record(name, {'x': numbers(3, 4)})


classifier = Classifier()
save('classifier', classifier, classifier.serve)
record('classifier', {'picture': numbers(2, 8, 8, 3)})
words = Words()
save('words', words, words.translate, 'translate')
record('words', {'words': np.array([3, 0, 6], np.int32), 'context': numbers(3, 4)}, 'translate')
conditions = Conditions()
save('conditions', conditions, conditions.serve)
record('conditions', {'x': numbers(2, 4), 'steps': np.array([3], np.int32)})
attention = Attention()
save('attention', attention, attention.serve)
record('attention', {'x': numbers(2, 5, 6)})
keras()
first_version('first-version', False)
first_version('first-version-resources', True)
loops = Loops()
save('loops', loops, loops.serve)
record('loops', {'x': numbers(2, 4), 'steps': np.array([3], np.int32)})
layers = tf.keras.layers
recurrent('lstm', lambda x: layers.LSTM(3)(x), [5, 2])
recurrent('gru-masked', lambda x: layers.GRU(3)(layers.Embedding(7, 2, mask_zero=True)(x)), [5], tf.int32)
recurrent('convolution-lstm', lambda x: layers.ConvLSTM2D(2, 3, padding='same')(x), [3, 4, 4, 1])
lists = Lists()
save('lists', lists, lists.serve)
record('lists', {'x': numbers(4, 3), 'steps': np.array([4], np.int32)})
first_control('first-control')
keras_saved()
