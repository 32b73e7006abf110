"""`torch.utils.data.dataloader`: PyTorch's name for the file of the loader."""

from dyncore.errors.explain import missing_in

from .collate import default_collate as default_collate
from .dataset import Dataset as Dataset, IterableDataset as IterableDataset
from .loader import DataLoader as DataLoader, _BaseDataLoaderIter as _BaseDataLoaderIter
from .workers import get_worker_info as get_worker_info

# One class for both: workers take turns in this process.
_SingleProcessDataLoaderIter = _MultiProcessingDataLoaderIter = _BaseDataLoaderIter

__getattr__ = missing_in(__name__)
